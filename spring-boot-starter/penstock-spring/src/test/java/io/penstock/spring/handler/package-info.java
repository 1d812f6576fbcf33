/** Tests of the package of the same name. */
@NullMarked
package io.penstock.spring.handler;

import org.jspecify.annotations.NullMarked;
