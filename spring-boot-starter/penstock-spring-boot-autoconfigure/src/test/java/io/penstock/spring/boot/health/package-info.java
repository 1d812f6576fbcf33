/** Tests of the package of the same name. */
@NullMarked
package io.penstock.spring.boot.health;

import org.jspecify.annotations.NullMarked;
