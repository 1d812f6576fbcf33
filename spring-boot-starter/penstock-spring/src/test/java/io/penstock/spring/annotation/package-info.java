/** Tests. */
@NullMarked
package io.penstock.spring.annotation;

import org.jspecify.annotations.NullMarked;
