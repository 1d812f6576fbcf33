/** Tests of the package of the same name. */
@NullMarked
package io.penstock.spring.boot.messaging;

import org.jspecify.annotations.NullMarked;
