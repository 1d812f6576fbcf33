/** Tests. */
@NullMarked
package io.penstock.spring.endpoint;

import org.jspecify.annotations.NullMarked;
