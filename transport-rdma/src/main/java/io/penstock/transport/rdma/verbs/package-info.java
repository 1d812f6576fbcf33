/**
 * The operations of RDMA devices that the transport needs, and no more: an interface with several providers, so that
 * the transport is written once.
 *
 * <p>Two threads use it. A <em>control thread</em> makes, connects and ends endpoints, registers memory and hears
 * events; it may wait for the device. The <em>agent</em> posts, polls and waits for completions; none of that
 * allocates, locks or waits, but {@link io.penstock.transport.rdma.verbs.Verbs#awaitCompletions}. An endpoint belongs
 * to the control thread until that hands it to the agent, and again after the agent has given it back; the one happens
 * before the other.
 *
 * <p>Requests and completions travel in flat arrays of native memory, many of them by one call.
 */
@NullMarked
package io.penstock.transport.rdma.verbs;

import org.jspecify.annotations.NullMarked;
