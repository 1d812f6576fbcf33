/**
 * Scheme {@code inproc}: frames between two agents of one process, or of one thread, through a ring in each direction.
 *
 * <p>A transport, its listeners and connections are owned by the agent that opened it. Agents meet in three classes
 * only: {@link io.penstock.transport.inproc.InprocRegistry} finds a listener by its name, {@link
 * io.penstock.transport.inproc.InprocListener} has the connections that wait to be accepted, and {@link
 * io.penstock.transport.inproc.InprocLink} the two rings of one.
 */
@NullMarked
package io.penstock.transport.inproc;

import org.jspecify.annotations.NullMarked;
