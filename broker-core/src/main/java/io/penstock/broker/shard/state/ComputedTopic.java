package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.topic.Topic;

/** A topic that is computed from others of its shard, and kept up to date with them. Owned by the sequencer. */
abstract class ComputedTopic {
    /** Its place in the order of views, and among those that are not up to date. */
    final int place;

    final DueHeap.Entry<ComputedTopic> changed = new DueHeap.Entry<>(this);

    /** Whether the error log has that it has stopped. */
    boolean isStopNotified;

    /** What its rows are written to. */
    final RowScratch scratch;

    /**
     * Is up to date.
     *
     * @param place        in the order of views.
     * @param rowLengthMax in bytes.
     */
    ComputedTopic(final int place, final int rowLengthMax) {
        this.place = place;
        scratch = new RowScratch(rowLengthMax);
    }

    abstract String name();

    abstract boolean isOf(Topic topic);

    /** Whether it is more than it may be, and is no longer kept up to date. */
    abstract boolean isStopped();

    /** Whether the error log is to have something about it. */
    abstract boolean isToBeReported();

    /** Throws once when it is to be reported, for the error log: on no publisher's path. */
    abstract void checkStopped();

    /** Applies what has changed to its own records. Returns false when that is not all of it. */
    abstract boolean apply(ShardState state, long timestampNs);
}
