/**
 * Runs a broker until it is stopped.
 *
 * <p>The main thread starts it and waits; the shutdown hook's thread drains and closes it.
 */
@NullMarked
package io.penstock.standalone.serve;

import org.jspecify.annotations.NullMarked;
