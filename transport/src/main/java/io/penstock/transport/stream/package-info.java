/**
 * Frames over any medium that is a stream of bytes between two sockets, each preceded by its length as a little-endian
 * {@code int32}. What is common to {@code tcp} and to all that looks like it.
 *
 * <p>Owned by the agent that opened the transport; only {@link io.penstock.transport.Transport#wakeup()} may be called
 * by others. A {@link io.penstock.transport.stream.SocketLoop} hides who tells which sockets are ready, and what a
 * socket is. It only notes them: sockets are read and written, and handlers called, when the agent polls.
 */
@NullMarked
package io.penstock.transport.stream;

import org.jspecify.annotations.NullMarked;
