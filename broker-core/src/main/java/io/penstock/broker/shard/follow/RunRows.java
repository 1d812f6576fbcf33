package io.penstock.broker.shard.follow;

import org.agrona.collections.IntArrayList;

/** The rows whose changes are in a follower's run, so that the run can be taken back. Confined to the sequencer. */
final class RunRows {
    final IntArrayList rows = new IntArrayList();

    /** Where they start among the rows that a lagging follower is sent. */
    int mark;

    /** Sequence of the first change. */
    long firstSequence;
}
