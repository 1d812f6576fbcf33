/** The console of a broker, in a real browser. */
@NullMarked
package io.penstock.console;

import org.jspecify.annotations.NullMarked;
