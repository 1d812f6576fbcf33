/** Tests of the auto-configuration under Boot 3.5. */
@NullMarked
package io.penstock.spring.boot;

import org.jspecify.annotations.NullMarked;
