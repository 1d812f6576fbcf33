/**
 * The agents and the threads that run them.
 *
 * <p>Each agent is confined to one thread; they exchange bytes, positions and commands.
 */
@NullMarked
package io.penstock.broker.agent;

import org.jspecify.annotations.NullMarked;
