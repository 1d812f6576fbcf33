/** Tests of the native protocol's layout and checks. */
@NullMarked
package io.penstock.protocol;

import org.jspecify.annotations.NullMarked;
