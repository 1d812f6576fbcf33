package io.penstock.broker.shard.state.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows by the hashes of their values, beside maps of lists. */
class RowsByValueTest {
    @Test
    void shouldHaveTheRowsOfEachHashInTheirOrder() {
        for (int seed = 1; seed <= 20; seed++) {
            final Random random = new Random(seed);
            final RowsByValue rows = new RowsByValue();
            final Map<Integer, LinkedHashSet<Integer>> model = new HashMap<>();
            final Map<Integer, Integer> hashes = new HashMap<>();
            final int rowCount = 1 << random.nextInt(13);
            final int hashCount = 1 + random.nextInt(rowCount);
            for (int i = 0; i < 10_000; i++) {
                final int row = random.nextInt(rowCount);
                final Integer before = hashes.remove(row);
                if (before != null) {
                    Objects.requireNonNull(model.get(before)).remove(row);
                }
                if (random.nextInt(3) == 0) {
                    rows.remove(row);
                } else {
                    final int hash = random.nextInt(hashCount) * 64;
                    rows.put(row, hash);
                    hashes.put(row, hash);
                    model.computeIfAbsent(hash, ignored -> new LinkedHashSet<>())
                            .add(row);
                }
            }
            model.forEach((hash, expected) -> assertThat(rows(rows, hash)).containsExactlyElementsOf(expected));
            assertThat(rows(rows, -1)).isEmpty();
        }
    }

    @Test
    void shouldTakeRowsOnceInTheOrderOfTheirLastChanges() {
        final ChangedRows changed = new ChangedRows();
        for (final int row : new int[] {3, 5, 3, 0, 5, 7}) {
            changed.add(row);
        }
        assertThat(List.of(changed.take(), changed.take())).containsExactly(3, 0);
        changed.add(3);
        assertThat(List.of(changed.take(), changed.take(), changed.take(), changed.take()))
                .containsExactly(5, 7, 3, ChangedRows.NONE);
        changed.add(1);
        changed.clear();
        assertThat(changed.take()).isEqualTo(ChangedRows.NONE);
    }

    @Test
    void shouldKnowTheRowsOfBothSides() {
        final JoinedPairs pairs = new JoinedPairs();
        pairs.put(10, 1, 2, 1);
        pairs.put(11, 1, 3, 1);
        pairs.put(12, 4, JoinedPairs.NONE, 1);
        pairs.put(10, 1, 3, 2);

        assertThat(pairs.otherOfLeft(1, 2)).isEqualTo(11);
        assertThat(pairs.otherOfRight(2, 2)).isEqualTo(JoinedPairs.NONE);
        assertThat(pairs.otherOfRight(3, 2)).isEqualTo(11);
        assertThat(pairs.alone(4)).isEqualTo(12);
        assertThat(pairs.alone(1)).isEqualTo(JoinedPairs.NONE);
        pairs.remove(11);
        pairs.remove(11);
        assertThat(pairs.otherOfRight(3, 2)).isEqualTo(JoinedPairs.NONE);
        assertThat(pairs.otherOfRight(3, 3)).isEqualTo(10);
        pairs.remove(10);
        assertThat(pairs.otherOfLeft(1, 3)).isEqualTo(JoinedPairs.NONE);
        assertThat(pairs.left(10)).isEqualTo(JoinedPairs.NONE);
    }

    @Test
    void shouldHaveTheRowOfALeftRowAloneBeforeAllOthers() {
        final JoinedPairs pairs = new JoinedPairs();
        pairs.put(10, 1, 2, 1);
        pairs.put(11, 1, 3, 1);
        pairs.put(12, 1, JoinedPairs.NONE, 2);

        assertThat(pairs.alone(1)).isEqualTo(12);
        assertThat(pairs.otherOfLeft(1, 2)).isEqualTo(10);
        assertThat(pairs.otherOfLeft(1, 3)).isEqualTo(12);
        pairs.put(10, 1, 2, 3);
        assertThat(pairs.alone(1)).isEqualTo(12);
        pairs.remove(12);
        assertThat(pairs.alone(1)).isEqualTo(JoinedPairs.NONE);
        assertThat(pairs.otherOfLeft(1, 3)).isEqualTo(11);
        pairs.remove(11);
        assertThat(pairs.otherOfLeft(1, 3)).isEqualTo(JoinedPairs.NONE);
        pairs.put(10, 1, JoinedPairs.NONE, 4);
        assertThat(pairs.otherOfLeft(1, 4)).isEqualTo(JoinedPairs.NONE);
        assertThat(pairs.alone(1)).isEqualTo(10);
    }

    @Test
    void shouldHaveFormerValuesOnceInTheOrderInWhichTheyWereAdded() {
        final FormerValues values = new FormerValues();
        for (final int hash : new int[] {3, -1, 3, 0}) {
            values.add(hash);
        }
        assertThat(values.first()).isEqualTo(3);
        values.removeFirst();
        values.add(3);
        final List<Integer> left = new ArrayList<>();
        for (; !values.isEmpty(); values.removeFirst()) {
            left.add(values.first());
        }
        assertThat(left).containsExactly(-1, 0, 3);
        values.add(-1);
        values.free();
        assertThat(values.isEmpty()).isTrue();
    }

    private static List<Integer> rows(final RowsByValue from, final int hash) {
        final List<Integer> rows = new ArrayList<>();
        for (int row = from.first(hash); row != RowsByValue.NONE; row = from.next(row)) {
            rows.add(row);
        }
        return rows;
    }
}
