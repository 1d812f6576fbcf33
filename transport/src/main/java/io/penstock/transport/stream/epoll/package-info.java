/**
 * Sockets of the kernel by their descriptors, and epoll, both by Netty's native library; the only package that knows
 * Netty. Owned as {@link io.penstock.transport.stream} says.
 */
@NullMarked
package io.penstock.transport.stream.epoll;

import org.jspecify.annotations.NullMarked;
