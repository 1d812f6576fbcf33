/** Tests. */
@NullMarked
package io.penstock.spring.error;

import org.jspecify.annotations.NullMarked;
