/** Tests of the package of the same name. */
@NullMarked
package io.penstock.spring.boot.tls;

import org.jspecify.annotations.NullMarked;
