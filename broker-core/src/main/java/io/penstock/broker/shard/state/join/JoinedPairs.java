package io.penstock.broker.shard.state.join;

/**
 * Which rows of two topics each row of their join is made of, and in which round that was found last. Those of one row of
 * a topic stand in the order in which they were found. Owned by the sequencer.
 */
public final class JoinedPairs {
    /** No row. */
    public static final int NONE = RowNumbers.NONE;

    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int ROUND = 2;

    private final RowNumbers pairs = new RowNumbers(3);
    private final RowLists ofLeft = new RowLists();
    private final RowLists ofRight = new RowLists();

    /**
     * A row of the join is made of a pair, whatever it was made of before. It is the last one of both now.
     *
     * @param row   of the join.
     * @param left  of the left topic.
     * @param right of the right topic, or {@link #NONE}.
     * @param round in which that was found.
     */
    public void put(final int row, final int left, final int right, final int round) {
        remove(row);
        pairs.set(row, LEFT, left);
        pairs.set(row, RIGHT, right);
        pairs.set(row, ROUND, round);
        ofLeft.append(left, row);
        if (right != NONE) {
            ofRight.append(right, row);
        }
    }

    /**
     * A row of the join is there no more.
     *
     * @param row that is made of a pair, or of none so far.
     */
    public void remove(final int row) {
        final int left = left(row);
        if (left == NONE) {
            return;
        }
        ofLeft.remove(left, row);
        if (right(row) != NONE) {
            ofRight.remove(right(row), row);
        }
        pairs.set(row, LEFT, NONE);
        pairs.set(row, RIGHT, NONE);
    }

    /**
     * The left row of a pair.
     *
     * @param row of the join.
     * @return row, or {@link #NONE} when it is made of none.
     */
    public int left(final int row) {
        return pairs.get(row, LEFT);
    }

    /**
     * The right row of a pair.
     *
     * @param row of the join.
     * @return row, or {@link #NONE} when it is made of a left row alone.
     */
    public int right(final int row) {
        return pairs.get(row, RIGHT);
    }

    /**
     * When a row of the join was put last.
     *
     * @param row that is made of a pair.
     * @return the round.
     */
    public int round(final int row) {
        return pairs.get(row, ROUND);
    }

    /**
     * The row of the join that was put first of those with a left row.
     *
     * @param left row.
     * @return row, or {@link #NONE}.
     */
    public int firstOfLeft(final int left) {
        return ofLeft.first(left);
    }

    /**
     * The row of the join that was put first of those with a right row.
     *
     * @param right row.
     * @return row, or {@link #NONE}.
     */
    public int firstOfRight(final int right) {
        return ofRight.first(right);
    }

    /**
     * Whether a row of the join is the only one with its left row.
     *
     * @param row that is made of a pair.
     * @return whether there is no other.
     */
    public boolean isOnlyOfLeft(final int row) {
        return ofLeft.isOnly(left(row), row);
    }
}
