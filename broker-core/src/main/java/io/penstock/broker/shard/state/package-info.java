/**
 * The state that follows from a shard's log: rows that are put, deleted and expire, and views that are computed from
 * them.
 *
 * <p>Owned by the shard's sequencer.
 */
@NullMarked
package io.penstock.broker.shard.state;

import org.jspecify.annotations.NullMarked;
