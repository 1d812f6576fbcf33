/**
 * Reads the files of a broker's audit.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.audit;

import org.jspecify.annotations.NullMarked;
