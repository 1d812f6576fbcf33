/** Scheme {@code tcp}: frames over the sockets of the internet. */
@NullMarked
package io.penstock.transport.tcp;

import org.jspecify.annotations.NullMarked;
