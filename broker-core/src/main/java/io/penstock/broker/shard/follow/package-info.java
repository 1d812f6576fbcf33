/**
 * Subscriptions that follow the records of topics with state: what a change is to each of them, and how those that lag
 * catch up.
 *
 * <p>Owned by the shard's sequencer.
 */
@NullMarked
package io.penstock.broker.shard.follow;

import org.jspecify.annotations.NullMarked;
