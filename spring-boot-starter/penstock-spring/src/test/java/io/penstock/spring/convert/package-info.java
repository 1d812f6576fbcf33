/** Tests. */
@NullMarked
package io.penstock.spring.convert;

import org.jspecify.annotations.NullMarked;
