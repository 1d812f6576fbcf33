/** Tests of the package of the same name. */
@NullMarked
package io.penstock.spring.boot.embedded;

import org.jspecify.annotations.NullMarked;
