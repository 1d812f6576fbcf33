/**
 * Reads the files of sinks.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.sink;

import org.jspecify.annotations.NullMarked;
