/**
 * Hands messages to an executor of the program, in order within each lane. Internal.
 *
 * <p>Owned by no thread: the client's agent adds, the executor's threads take.
 */
@NullMarked
package io.penstock.client.lane;

import org.jspecify.annotations.NullMarked;
