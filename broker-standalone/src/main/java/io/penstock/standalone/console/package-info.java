/**
 * What a person at a terminal sees: progress that is redrawn, plain lines elsewhere.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.console;

import org.jspecify.annotations.NullMarked;
