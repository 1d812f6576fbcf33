package io.penstock.broker.shard.state;

import io.penstock.broker.shard.state.join.JoinedPairs;
import org.jspecify.annotations.Nullable;

/** How far a join has come with a record that has changed. Owned by the sequencer. */
final class JoinProgress {
    private @Nullable JoinSide side;
    private int row = JoinedPairs.NONE;
    private int next = JoinedPairs.NONE;
    private int round;
    private int pairCount;
    private int stepsLeft;

    /** Nothing is looked at. */
    JoinProgress() {}

    /** The topic of the record; null when none is looked at. */
    @Nullable
    JoinSide side() {
        return side;
    }

    int row() {
        return row;
    }

    /** The row of the other topic that is looked at next. */
    int next() {
        return next;
    }

    /** By which rows are told that are put for this record. */
    int round() {
        return round;
    }

    /** How many pairs it is in, of those that were looked at. */
    int pairCount() {
        return pairCount;
    }

    /** Another record is looked at, from a row of the other topic on. */
    void begin(final JoinSide of, final int changed, final int first) {
        side = of;
        row = changed;
        next = first;
        round++;
        pairCount = 0;
    }

    void next(final int other) {
        next = other;
    }

    void onPair() {
        pairCount++;
    }

    void end() {
        side = null;
        row = JoinedPairs.NONE;
        next = JoinedPairs.NONE;
    }

    /** How many steps may be taken from now on. */
    void steps(final int count) {
        stepsLeft = count;
    }

    /** Takes a step; false when there is none left. */
    boolean step() {
        if (stepsLeft == 0) {
            return false;
        }
        stepsLeft--;
        return true;
    }
}
