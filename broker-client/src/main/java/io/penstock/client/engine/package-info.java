/**
 * The engine of a client: the agent and its thread, commands on their way from threads of a program to it, what waits for an
 * answer, and reconnecting. Internal.
 *
 * <p>Owned by the client's thread; what says so may be called by any. Stands on the rooms of the session and of sinks, and
 * uses the values, handlers, listeners and stores of the API, not its clients.
 */
@NullMarked
package io.penstock.client.engine;

import org.jspecify.annotations.NullMarked;
