/**
 * Scheme {@code inproc}: frames between two agents of one process, or of one thread, through a ring in each direction.
 *
 * <p>A transport, its listeners and connections are owned by the agent that opened it. Agents meet in three classes
 * only: {@link io.penstock.transport.inproc.InprocRegistry} finds a listener by its name, {@link
 * io.penstock.transport.inproc.InprocLink} holds the two rings of a connection, and {@link
 * io.penstock.transport.inproc.InprocSignal} ends a wait.
 */
@NullMarked
package io.penstock.transport.inproc;

import org.jspecify.annotations.NullMarked;
