package io.penstock.broker.query.block;

import io.penstock.broker.shard.store.StateStore;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a worker looks at: block after block, of one source after the other, from where other queries of its
 * agent are. If the query's answer depends on the order of rows, from the first row on. Confined to one query agent.
 */
public final class RowWalk {
    /** Sources among which one is looked for that other queries look at. */
    private static final int SOURCES_AHEAD_MAX = 64;

    private final QueryBlocks blocks;

    /** Part of the blocks of a source, from which on the worker begins when no other query is there. */
    private final double start;

    private ScanPositions positions = new ScanPositions();
    private @Nullable ScanPosition position;
    private int firstLeft;
    private int source;
    private int next;
    private int end;

    /**
     * Makes it for one worker.
     *
     * @param blocks      of its query.
     * @param part        of the workers, from 0.
     * @param workerCount of the query.
     */
    public RowWalk(final QueryBlocks blocks, final int part, final int workerCount) {
        this.blocks = blocks;
        start = (double) part / workerCount;
    }

    /**
     * The worker is one of several of an agent. Called before it has taken a block.
     *
     * @param ofAgent where they are.
     */
    public void join(final ScanPositions ofAgent) {
        if (blocks.isInAnyOrder()) {
            positions = ofAgent;
        }
    }

    /**
     * The source of the block that was taken.
     *
     * @return its number.
     */
    public int source() {
        return source;
    }

    /**
     * The row that comes next.
     *
     * @return row of the source; the end when all rows of the block were looked at.
     */
    public int next() {
        return next;
    }

    /**
     * Goes on to a row.
     *
     * @param row of the block, or its end.
     */
    public void next(final int row) {
        next = row;
    }

    /**
     * The end of the block.
     *
     * @return behind its last row.
     */
    public int end() {
        return end;
    }

    /**
     * Whether no other query of the agent looks at the store of the block that was taken.
     *
     * @return false also when none was taken.
     */
    public boolean isAlone() {
        return position != null && position.userCount() == 1;
    }

    /**
     * Goes on to another block.
     *
     * @return false when there are no more.
     */
    public boolean takeBlock() {
        ScanPosition at = position == null ? enter() : position;
        while (at != null) {
            final int block = blocks.claims(source).take(at.block());
            if (block != BlockClaims.NONE) {
                at.block(block);
                next = blocks.firstRow(block);
                end = blocks.endRow(source, block);
                return true;
            }
            leave();
            at = enter();
        }
        return false;
    }

    /** The worker takes no more blocks of the present source. */
    public void leave() {
        if (position != null) {
            position.leave();
            position = null;
        }
    }

    /** Goes on to a source that has blocks left; null when none has. */
    private @Nullable ScanPosition enter() {
        final int count = blocks.sourceCount();
        while (firstLeft < count && blocks.claims(firstLeft).isEmpty()) {
            firstLeft++;
        }
        if (firstLeft == count) {
            return null;
        }
        source = sourceOfOthers();
        final StateStore store = blocks.store(source);
        final int first = (int) (blocks.claims(source).count() * start);
        // Blocks of some rows are no blocks of the store.
        final ScanPosition entered = store == null ? new ScanPositions().enter(first) : positions.enter(store, first);
        position = entered;
        return entered;
    }

    /** A source that other queries of the agent look at, or else the first one that has blocks left. */
    private int sourceOfOthers() {
        final int last = blocks.isInAnyOrder() ? Math.min(blocks.sourceCount(), firstLeft + SOURCES_AHEAD_MAX) : 0;
        for (int i = firstLeft; i < last; i++) {
            final StateStore store = blocks.store(i);
            if (store != null && positions.has(store) && !blocks.claims(i).isEmpty()) {
                return i;
            }
        }
        return firstLeft;
    }
}
