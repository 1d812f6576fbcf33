/**
 * From a message to the subscriptions that want it.
 *
 * <p>Owned by the shard's sequencer.
 */
@NullMarked
package io.penstock.broker.shard.match;

import org.jspecify.annotations.NullMarked;
