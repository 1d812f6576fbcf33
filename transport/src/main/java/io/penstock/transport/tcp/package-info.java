/**
 * Scheme {@code tcp}: frames over sockets, each preceded by its length as a little-endian {@code int32}.
 *
 * <p>Owned by the agent that opened the transport; only {@link io.penstock.transport.Transport#wakeup()} may be called
 * by others. {@link io.penstock.transport.tcp.SocketLoop} hides whether Java's selector or Netty's native epoll tells
 * which sockets are ready. It only notes them: sockets are read and written, and handlers called, when the agent polls.
 */
@NullMarked
package io.penstock.transport.tcp;

import org.jspecify.annotations.NullMarked;
