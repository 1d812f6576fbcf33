package io.penstock.broker.shard.state.join;

/**
 * Which rows of two topics each row of their join is made of, and in which round that was found last. Those of one row of
 * a topic stand in the order in which they were found, that of a left row alone before all others. Owned by the sequencer.
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
     * A row of the join is made of a pair, whatever it was made of before. It is the last one of both now, or the first one
     * when it is made of a left row alone.
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
        if (right == NONE) {
            ofLeft.prepend(left, row);
        } else {
            ofLeft.append(left, row);
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
     * The row of the join that is made of a left row alone.
     *
     * @param left row.
     * @return row, or {@link #NONE}.
     */
    public int alone(final int left) {
        final int first = ofLeft.first(left);
        return first == NONE || right(first) != NONE ? NONE : first;
    }

    /**
     * Whether the first row of the join that is made of a left row is made of a pair.
     *
     * @param left  row.
     * @param right row, or {@link #NONE}.
     * @return false when it is made of another one, or there is none.
     */
    public boolean isFirst(final int left, final int right) {
        final int first = ofLeft.first(left);
        return first != NONE && right(first) == right;
    }

    /**
     * The first row of the join that is made of a left row and was not put in a round, which is the last one so far.
     *
     * @param left  row.
     * @param round in which others may have been put.
     * @return row, or {@link #NONE}.
     */
    public int otherOfLeft(final int left, final int round) {
        final int first = ofLeft.first(left);
        final boolean isAlone = first != NONE && right(first) == NONE && round(first) == round;
        return other(isAlone ? ofLeft.next(left, first) : first, round);
    }

    /**
     * The first row of the join that is made of a right row and was not put in a round, which is the last one so far.
     *
     * @param right row.
     * @param round in which others may have been put.
     * @return row, or {@link #NONE}.
     */
    public int otherOfRight(final int right, final int round) {
        return other(ofRight.first(right), round);
    }

    /** Those of the round are behind all others. */
    private int other(final int row, final int round) {
        return row == NONE || round(row) == round ? NONE : row;
    }

    private int round(final int row) {
        return pairs.get(row, ROUND);
    }
}
