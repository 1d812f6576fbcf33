/**
 * Looks into the files of a log, and into the state that a log makes, whether a broker uses them or not.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.log;

import org.jspecify.annotations.NullMarked;
