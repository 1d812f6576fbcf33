/**
 * Clients: log-on, commands, subscriptions, flow control, acknowledgements, deliveries.
 *
 * <p>Owned by the I/O agent of the client's connection.
 */
@NullMarked
package io.penstock.broker.session;

import org.jspecify.annotations.NullMarked;
