/**
 * All clients of one I/O agent. The agent calls this package, which passes commands and replies to the handlers in the
 * packages below, and sends each client everything that is due to it.
 *
 * <p>Owned by the I/O agent of the clients' connections.
 */
@NullMarked
package io.penstock.broker.session;

import org.jspecify.annotations.NullMarked;
