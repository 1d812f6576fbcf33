package io.penstock.broker.shard.recovery;

import io.penstock.broker.shard.state.StateTopic;
import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.topic.Topic;

/**
 * A shard at one sequence: the data that does not change any more, and a snapshot of the rest. Made by the sequencer,
 * read by the keeper, and given back to the sequencer.
 */
public final class ShardImage {
    final Snapshot snapshot;
    final Topic[] topics;

    /** The number of the next topic. */
    final int nextTopicId;

    /** Those topics that have state. */
    final StateTopic[] states;

    /** Names of publishers by number, from 1. */
    final String[] publishers;

    /** The highest sequence applied for each publisher. */
    final long[] lastSequences;

    public ShardImage(
            final Snapshot snapshot,
            final Topic[] topics,
            final int nextTopicId,
            final StateTopic[] states,
            final String[] publishers,
            final long[] lastSequences) {
        this.snapshot = snapshot;
        this.topics = topics;
        this.nextTopicId = nextTopicId;
        this.states = states;
        this.publishers = publishers;
        this.lastSequences = lastSequences;
    }

    public Snapshot snapshot() {
        return snapshot;
    }

    long sequence() {
        return snapshot.sequence();
    }
}
