/**
 * Subscriptions that follow the records of topics with state: what each gets of a change, and how lagging ones catch
 * up.
 *
 * <p>Owned by the shard's sequencer.
 */
@NullMarked
package io.penstock.broker.shard.follow;

import org.jspecify.annotations.NullMarked;
