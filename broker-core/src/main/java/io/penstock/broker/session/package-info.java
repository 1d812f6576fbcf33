/**
 * All clients of one I/O agent: what that calls, which hands commands and replies to the handlers in the packages below, and
 * sends each client what is due to it.
 *
 * <p>Owned by the I/O agent of the clients' connections.
 */
@NullMarked
package io.penstock.broker.session;

import org.jspecify.annotations.NullMarked;
