/**
 * What a join of two topics with state keeps of their rows: which have which value, which rows of the join are made of
 * which, which have changed, and which values they had.
 *
 * <p>Owned by the shard's sequencer.
 */
@NullMarked
package io.penstock.broker.shard.state.join;

import org.jspecify.annotations.NullMarked;
