/**
 * The engine of a client: the agent and its thread, commands on their way from threads of a program to it, commands
 * that wait for an answer, and reconnecting. Internal.
 *
 * <p>Owned by the client's thread; methods that say so may be called by any. Uses the packages of the session and of
 * sinks, and the values, handlers, listeners and stores of the API, not its clients.
 */
@NullMarked
package io.penstock.client.engine;

import org.jspecify.annotations.NullMarked;
