/**
 * Takes subscriptions, and decides what serves each of their feeds: the sequencer, a cursor, or a query for the state.
 * Confined to one I/O agent.
 */
@NullMarked
package io.penstock.broker.session.subscribe;

import org.jspecify.annotations.NullMarked;
