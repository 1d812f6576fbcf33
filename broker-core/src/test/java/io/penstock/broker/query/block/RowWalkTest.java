package io.penstock.broker.query.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.ColumnStore;
import io.penstock.broker.query.block.QueryBlocks.Rows;
import io.penstock.broker.shard.store.StateStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowWalkTest {
    private static final int LENGTH = 100;

    private final ColumnStore one = new ColumnStore(0);
    private final ColumnStore other = new ColumnStore(0);
    private final ScanPositions positions = new ScanPositions();

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    @Test
    void shouldGoOnFromWhereOthersAreAndThenLookAtTheRest() {
        final RowWalk early = walk(blocks(true, one.store(), 500));
        take(early, 3);
        final RowWalk late = walk(blocks(true, one.store(), 500));
        final List<Integer> ofEarly = new ArrayList<>();
        final List<Integer> ofLate = new ArrayList<>();
        // In turn, as an agent has it.
        boolean isMore = true;
        while (isMore) {
            final boolean isEarlyThere = takeInto(early, ofEarly);
            isMore = takeInto(late, ofLate) || isEarlyThere;
        }
        assertThat(ofEarly).containsExactly(300, 400);
        assertThat(ofLate).containsExactly(300, 400, 0, 100, 200);
        assertThat(positions.has(one.store())).isFalse();
    }

    @Test
    void shouldLookAtTheSameBlockAgainWhenAnotherOneHasJustTakenIt() {
        final RowWalk early = walk(blocks(true, one.store(), 500));
        take(early, 3);
        final RowWalk late = walk(blocks(true, one.store(), 500));
        assertThat(take(late, 1)).containsExactly(200);
    }

    @Test
    void shouldJoinTheOthersAgainWhenItWasSlower() {
        final RowWalk fast = walk(blocks(true, one.store(), 600));
        final RowWalk slow = walk(blocks(true, one.store(), 600));
        take(fast, 1);
        take(slow, 1);
        take(fast, 3);
        assertThat(take(slow, 1)).containsExactly(300);
        assertThat(take(fast, 1)).containsExactly(400);
        assertThat(take(slow, 5)).containsExactly(400, 500, 100, 200);
    }

    @Test
    void shouldBeginWithTheFirstRowWhenTheOrderOfRowsMatters() {
        take(walk(blocks(true, one.store(), 500)), 3);
        assertThat(take(walk(blocks(false, one.store(), 250)), 9)).containsExactly(0, 100, 200);
    }

    @Test
    void shouldBeginWithTheSourceThatOthersLookAt() {
        take(walk(blocks(true, other.store(), 300)), 2);
        final QueryBlocks both = new QueryBlocks(
                List.of(new Rows(one.store(), 100), new Rows(other.store(), 300), new Rows(one.store(), 100)),
                LENGTH,
                true);
        final RowWalk walk = walk(both);
        final List<String> taken = new ArrayList<>();
        while (walk.takeBlock()) {
            taken.add(walk.source() + ":" + walk.next() + "-" + walk.end());
        }
        assertThat(taken).containsExactly("1:100-200", "1:200-300", "1:0-100", "0:0-100", "2:0-100");
    }

    @Test
    void shouldNotMoveOthersWhenItLooksAtSomeRowsOnly() {
        final RowWalk all = walk(blocks(true, one.store(), 500));
        take(all, 3);
        assertThat(take(walk(blocks(true, null, 150)), 9)).containsExactly(0, 100);
        assertThat(take(all, 1)).containsExactly(300);
    }

    @Test
    void shouldBeginInAnotherPartWhenThereAreSeveralWorkers() {
        final QueryBlocks blocks = blocks(true, one.store(), 1000);
        final RowWalk first = new RowWalk(blocks, 0, 2);
        final RowWalk second = new RowWalk(blocks, 1, 2);
        assertThat(take(first, 2)).containsExactly(0, 100);
        assertThat(take(second, 3)).containsExactly(500, 600, 700);
        assertThat(take(first, 4)).containsExactly(200, 300, 400, 800);
        assertThat(take(second, 4)).containsExactly(900);
    }

    @Test
    void shouldBeForgottenWhenItLeaves() {
        final RowWalk walk = walk(blocks(true, one.store(), 500));
        take(walk, 3);
        walk.leave();
        walk.leave();
        assertThat(positions.has(one.store())).isFalse();
        assertThat(take(walk(blocks(true, one.store(), 500)), 1)).containsExactly(0);
    }

    private QueryBlocks blocks(final boolean isInAnyOrder, final @Nullable StateStore store, final int count) {
        return new QueryBlocks(List.of(new Rows(store, count)), LENGTH, isInAnyOrder);
    }

    private RowWalk walk(final QueryBlocks blocks) {
        final RowWalk walk = new RowWalk(blocks, 0, 1);
        walk.join(positions);
        return walk;
    }

    /** The first rows of so many blocks, or of those that are left. */
    private static List<Integer> take(final RowWalk walk, final int count) {
        final List<Integer> rows = new ArrayList<>();
        boolean isMore = true;
        while (isMore && rows.size() < count) {
            isMore = takeInto(walk, rows);
        }
        return rows;
    }

    private static boolean takeInto(final RowWalk walk, final List<Integer> rows) {
        final boolean isTaken = walk.takeBlock();
        if (isTaken) {
            rows.add(walk.next());
            walk.next(walk.end());
        }
        return isTaken;
    }
}
