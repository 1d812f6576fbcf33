/**
 * Scheme {@code sdp}: frames over Java's sockets, which Java up to 25 makes into those of the Sockets Direct Protocol
 * where a file of rules says so. Owned by the agent that opened the transport.
 */
@NullMarked
package io.penstock.transport.sdp;

import org.jspecify.annotations.NullMarked;
