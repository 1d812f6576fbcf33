/**
 * Commands that copy a broker's directory and make one of a copy.
 *
 * <p>Owned by the thread of the command.
 */
@NullMarked
package io.penstock.standalone.backup;

import org.jspecify.annotations.NullMarked;
