package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.ColumnStore.Answer;
import io.penstock.broker.query.column.StoreColumns;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Columns that nobody has used for a while give way to those that a query wants; others do not. */
class ColumnDropTest {
    private static final int ROW_COUNT = 6_000;

    /** For the rows' columns of 3 blocks, 2 fields and less than a part. */
    private static final long LENGTH_MAX = 3 * (16_640 + 2 * 6_144) + 4_096;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final ColumnStore store = new ColumnStore(LENGTH_MAX);

    @AfterEach
    void close() {
        store.close();
        assertThat(store.columnMemory().length()).isZero();
    }

    private static void fill(final ColumnStore into) {
        for (int i = 0; i < ROW_COUNT; i++) {
            into.put(i, "{\"a\":" + i % 100 + ",\"b\":" + i % 90 + ",\"c\":" + i % 80 + ",\"d\":" + i % 70 + "}");
        }
    }

    private long ask(final String filter) {
        return ask(store, filter);
    }

    /** Returns the rows that were read. */
    private long ask(final ColumnStore of, final String filter) {
        final QuerySource source = of.open();
        final Answer answer = ColumnStore.ask(source, filter, 1, clock);
        assertThat(answer.found())
                .as(filter)
                .isEqualTo(ColumnStore.expected(source, filter).found());
        of.close(source);
        assertThat(store.columnMemory().length()).isBetween(0L, LENGTH_MAX);
        return answer.rowsRead();
    }

    private void pass(final int seconds) {
        clock.update(clock.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void shouldGiveWayWhenNotUsedForAWhile() {
        fill(store);
        ask("a < 10");
        pass(1);
        ask("b < 10");
        pass(11);
        assertThat(ask("c < 10")).isEqualTo(ROW_COUNT);
        assertThat(store.columnMemory().droppedCount()).isEqualTo(1);
        assertThat(ask("c < 20")).isZero();
        assertThat(ask("b < 20")).as("used after the other one").isZero();
        assertThat(ask("a < 20")).as("dropped").isEqualTo(ROW_COUNT);
    }

    @Test
    void shouldNotGiveWayWhenUsedJustBefore() {
        fill(store);
        ask("a < 10");
        ask("b < 10");
        pass(9);
        for (int i = 0; i < 20; i++) {
            assertThat(ask("c < 10")).isEqualTo(ROW_COUNT);
            assertThat(ask("d < 10")).isEqualTo(ROW_COUNT);
        }
        assertThat(store.columnMemory().droppedCount()).isZero();
        assertThat(ask("a < 20 AND b < 20")).isZero();
    }

    @Test
    void shouldNotGiveWayWhileAQueryLooksAtIt() {
        fill(store);
        ask("b < 10");
        final QuerySource source = store.open();
        final QueryRun run = ColumnStore.run(QueryPlan.rows("a < 10", Long.MAX_VALUE >> 2), source, 1, clock);
        while (run.scanned() == 0) {
            run.worker(0).work();
        }
        pass(60);
        assertThat(ask("c < 10 AND d < 10")).isEqualTo(ROW_COUNT);
        final LongArrayList rows = new LongArrayList();
        while (!run.isDone()) {
            run.worker(0).work();
            ColumnStore.take(run, 0, rows);
        }
        assertThat(ColumnStore.answer(run, rows).found())
                .isEqualTo(ColumnStore.expected(source, "a < 10").found());
        store.close(source);
        pass(60);
        ask("c < 10");
        ask("d < 10");
        assertThat(ask("c < 10 AND d < 10")).isZero();
    }

    @Test
    void shouldBePendingWhileAQueryLooksAtItThoughOthersSweep() {
        fill(store);
        final StoreColumns columns = Objects.requireNonNull(StoreColumns.of(store.store()));
        final QuerySource source = store.open();
        final QueryRun run = ColumnStore.run(QueryPlan.rows("a < 10", Long.MAX_VALUE >> 2), source, 1, clock);
        while (run.scanned() == 0) {
            run.worker(0).work();
        }
        assertThat(columns.drop(null)).isEqualTo(1);
        final AtomicBoolean isDone = new AtomicBoolean();
        final CompletableFuture<Void> sweeping = CompletableFuture.runAsync(() -> {
            while (!isDone.get()) {
                columns.sweepDropped();
            }
        });
        int missedCount = 0;
        try {
            for (int i = 0; i < 1_000_000; i++) {
                missedCount += columns.isSweepPending() ? 0 : 1;
            }
        } finally {
            isDone.set(true);
            sweeping.join();
        }
        final LongArrayList rows = new LongArrayList();
        while (!run.isDone()) {
            run.worker(0).work();
            ColumnStore.take(run, 0, rows);
        }
        ColumnStore.answer(run, rows);
        store.close(source);
        assertThat(missedCount).isZero();
        while (columns.sweepDropped()) {
            // Some blocks at a time.
        }
        assertThat(columns.isSweepPending()).isFalse();
        assertThat(store.columnMemory().length()).isZero();
    }

    @Test
    void shouldGiveWayWhenTheQueryIsOfAnotherTopic() {
        fill(store);
        final ColumnStore other = store.another();
        fill(other);
        ask("a < 10 AND b < 10");
        pass(11);
        ask(other, "a < 10");
        assertThat(ask(other, "a < 10")).isZero();
        assertThat(store.columnMemory().droppedCount()).isPositive();
        other.free();
        ask("a < 10 AND b < 10");
        assertThat(ask("a < 10 AND b < 10")).isZero();
    }

    @Test
    void shouldNotBeTriedAgainSoonWhenMostTextsHaveNoRoom() {
        try (ColumnStore large = new ColumnStore(64 << 20)) {
            for (int i = 0; i < 100_000; i++) {
                large.put(i, "{\"s\":\"text " + i + "\",\"n\":" + i + "}");
            }
            assertThat(askLarge(large, "s = 'text 7'")).isEqualTo(167_232);
            assertThat(large.columnMemory().droppedCount()).isEqualTo(1);
            assertThat(askLarge(large, "s = 'text 7'")).isEqualTo(100_000);
            // What is left of it is freed by the way.
            askLarge(large, "n = 7");
            assertThat(large.columnMemory().length()).isLessThan(49 * (16_640 + 10_240));
            pass(11 * 60);
            assertThat(askLarge(large, "s = 'text 7'")).as("tried again").isEqualTo(167_232);
        }
    }

    private long askLarge(final ColumnStore of, final String filter) {
        final QuerySource source = of.open();
        final long read = ColumnStore.ask(source, filter, 1, clock).rowsRead();
        of.close(source);
        return read;
    }

    @Test
    void shouldGiveWayWhenThereAreManyFields() {
        try (ColumnStore wide = new ColumnStore(64 << 20)) {
            for (int row = 0; row < 5_000; row++) {
                final StringBuilder json = new StringBuilder("{\"x\":1");
                for (int field = 0; field < 70; field++) {
                    json.append(",\"f").append(field).append("\":").append(row % 50);
                }
                wide.put(row, json.append('}').toString());
            }
            for (int field = 0; field < 64; field++) {
                askLarge(wide, "f" + field + " = 1");
            }
            assertThat(askLarge(wide, "f64 = 1")).isEqualTo(5_000);
            assertThat(askLarge(wide, "f64 = 1")).as("none has given way").isEqualTo(5_000);
            pass(11);
            askLarge(wide, "f63 = 1");
            for (int field = 64; field < 70; field++) {
                askLarge(wide, "f" + field + " = 1");
                assertThat(askLarge(wide, "f" + field + " = 1")).isZero();
            }
            assertThat(askLarge(wide, "f63 = 1")).isZero();
            assertThat(wide.columnMemory().droppedCount()).isEqualTo(6);
        }
    }
}
