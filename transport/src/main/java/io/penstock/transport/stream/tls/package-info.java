/**
 * TLS around the sockets of any medium that is a stream: a loop, a listening socket and a connected one that stand in place
 * of those of the medium. Owned as {@link io.penstock.transport.stream} says; but for what takes long in a handshake, which
 * other threads compute, and which the agent takes up when they are done.
 */
@NullMarked
package io.penstock.transport.stream.tls;

import org.jspecify.annotations.NullMarked;
