/**
 * One connection to a broker: the frames that go and come by it, its logon and its heartbeats. Internal.
 *
 * <p>Owned by the thread that drives it, which is the client's own or that of a program with a {@link
 * io.penstock.client.ClientSession}. Knows the values of the API and {@link io.penstock.client.SessionListener}, and of
 * the other internal packages only the interface for blocks of sinks.
 */
@NullMarked
package io.penstock.client.session;

import org.jspecify.annotations.NullMarked;
