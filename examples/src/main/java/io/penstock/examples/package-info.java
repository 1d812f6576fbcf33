/**
 * Small programs, each complete; the code in the documentation is taken from them.
 *
 * <p>Each runs on the main thread.
 */
@NullMarked
package io.penstock.examples;

import org.jspecify.annotations.NullMarked;
