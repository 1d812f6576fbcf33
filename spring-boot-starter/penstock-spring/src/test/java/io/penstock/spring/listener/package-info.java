/** Tests. */
@NullMarked
package io.penstock.spring.listener;

import org.jspecify.annotations.NullMarked;
