/**
 * Runs cases of the filter language, written by others, against this broker's filters.
 *
 * <p>Used by one thread, that of the command line.
 */
@NullMarked
package io.penstock.standalone.conformance;

import org.jspecify.annotations.NullMarked;
