/** Tests of the package of the same name. */
@NullMarked
package io.penstock.spring.boot.test;

import org.jspecify.annotations.NullMarked;
