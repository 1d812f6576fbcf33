/** Tests of the package of the same name. */
@NullMarked
package io.penstock.spring.boot.metrics;

import org.jspecify.annotations.NullMarked;
