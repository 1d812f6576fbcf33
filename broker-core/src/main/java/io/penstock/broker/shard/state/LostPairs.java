package io.penstock.broker.shard.state;

import io.penstock.broker.shard.state.join.FormerValues;
import io.penstock.broker.shard.state.join.JoinedPairs;

/**
 * Left records of a join that may have lost a pair, since right ones have other values than before: puts the rows that they
 * have now. They are found by these former values and not by rows that they had, because a pair has no row that the filter
 * leaves out. Those that have changed themselves are not found so, and need not be: all their pairs are looked at.
 * Owned by the sequencer.
 */
final class LostPairs {
    private static final int NONE = JoinedPairs.NONE;

    private final JoinSide left;
    private final JoinSide right;
    private final JoinRows rows;
    private final FormerValues values;
    private final boolean isOuter;
    private final boolean hasOneRight;

    /** Whether left records of the first value are looked at, and which is next. */
    private boolean isBegun;

    private int next = NONE;

    /**
     * None yet.
     *
     * @param values      that right records had.
     * @param isOuter     whether a left record without a pair has a row.
     * @param hasOneRight whether a left record is in one pair at most.
     */
    LostPairs(
            final JoinSide left,
            final JoinSide right,
            final JoinRows rows,
            final FormerValues values,
            final boolean isOuter,
            final boolean hasOneRight) {
        this.left = left;
        this.right = right;
        this.rows = rows;
        this.values = values;
        this.isOuter = isOuter;
        this.hasOneRight = hasOneRight;
    }

    /** Puts the rows of all that there are. Returns false when that has to go on later. */
    boolean apply(final JoinProgress progress, final ShardState state, final long timestampNs) {
        while (!values.isEmpty()) {
            if (!isBegun) {
                next = left.first(values.first());
                isBegun = true;
            }
            while (next != NONE) {
                if (!progress.step() || !put(next, progress.round(), state, timestampNs)) {
                    return false;
                }
                next = left.next(next);
            }
            isBegun = false;
            values.removeFirst();
        }
        return true;
    }

    /**
     * Puts the row that a left record has in place of one with a right record that is gone: by itself, or with the right one
     * that is in its place. Reads values of both topics.
     *
     * @param leftRow that is there, and may be in pairs.
     * @param round   of what is done.
     * @return false when the log has no room now, and then nothing has changed.
     */
    boolean put(final int leftRow, final int round, final ShardState state, final long timestampNs) {
        final int match = left.read(left.newest(leftRow)) ? right.find(left.value()) : NONE;
        // It may have lost nothing, and be here since another value has the same hash: its place among others stays.
        return (match == NONE ? !isOuter : !hasOneRight)
                || rows.pairs().isFirst(leftRow, match)
                || rows.put(leftRow, match, round, state, timestampNs);
    }

    /** Something changes before all were looked at: those of the first value are looked at again. */
    void restart() {
        isBegun = false;
    }

    /** Forgets all of them. */
    void clear() {
        isBegun = false;
        values.clear();
    }
}
