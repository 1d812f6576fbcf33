/**
 * A shard whose order is made by several nodes together: its commands are handed to whoever leads, and applied when they come
 * back as decided. What makes the order lies behind {@link io.penstock.broker.shard.replica.Consensus}.
 *
 * <p>Ports are their I/O agents', everything else is the sequencer's, except where a class says otherwise.
 */
@NullMarked
package io.penstock.broker.shard.replica;

import org.jspecify.annotations.NullMarked;
