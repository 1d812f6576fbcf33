/** Sockets of Java's own, and its selector. Owned as {@link io.penstock.transport.stream} says. */
@NullMarked
package io.penstock.transport.stream.nio;

import org.jspecify.annotations.NullMarked;
