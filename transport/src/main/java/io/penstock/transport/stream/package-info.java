/**
 * Frames over any medium that is a stream of bytes between two sockets, each preceded by its length as a little-endian
 * {@code int32}. It is shared by {@code tcp} and the transports like it.
 *
 * <p>Owned by the agent that opened the transport; only {@link io.penstock.transport.Transport#wakeup()} may be called
 * by others. A {@link io.penstock.transport.stream.SocketLoop} hides the source of readiness, and the kind of socket.
 * It only notes ready sockets: sockets are read and written, and handlers called, when the agent polls.
 */
@NullMarked
package io.penstock.transport.stream;

import org.jspecify.annotations.NullMarked;
