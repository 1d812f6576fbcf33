/**
 * Output for people: progress that is redrawn on a terminal, plain lines elsewhere.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.console;

import org.jspecify.annotations.NullMarked;
