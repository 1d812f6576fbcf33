/**
 * Scheme {@code rsocket}: frames over the sockets of librdmacm, whose bytes go by RDMA.
 *
 * <p>Owned by the agent that opened the transport; only {@link io.penstock.transport.Transport#wakeup()} may be called
 * by others. These sockets cannot join an epoll: the agent asks and waits in a call of that library.
 */
@NullMarked
package io.penstock.transport.rsocket;

import org.jspecify.annotations.NullMarked;
