/**
 * The last value of every key of a topic, off-heap: keys, rows, versions and their memory.
 *
 * <p>Written by one thread, the shard's sequencer. Readers on any thread see a {@link
 * io.penstock.broker.shard.store.Snapshot snapshot}; what a store offers to them says so.
 */
@NullMarked
package io.penstock.broker.shard.store;

import org.jspecify.annotations.NullMarked;
