package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.CollectedAnswers.Query;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Groups of blocks all of whose values are of one kind, and orders in which whole blocks are behind, against reading each row: rows
 * are all there and alike, but for some blocks. {@code -Dpenstock.seeds} runs more seeds.
 */
class WholeBlockTest {
    private static final int SEED_COUNT_DEFAULT = 4;
    private static final int BLOCK_LENGTH = 2048;
    private static final int BLOCK_COUNT = 7;
    private static final List<Query> QUERIES = List.of(
            Query.groups("", "s, COUNT(*), AVG(p), SUM(p)", "s"),
            Query.groups("", "s, SUM(q), AVG(f), COUNT(q), COUNT(s)", "s"),
            Query.groups("", "s, MIN(p), MAX(p), MIN(q), MAX(f), SUM(f)", "s"),
            Query.groups("", "SUM(q), AVG(p), MIN(f), MAX(q), COUNT(p), COUNT(*)", ""),
            Query.groups("", "s, COUNT(DISTINCT q), SUM(q)", "s"),
            Query.groups("", "s, MAX(s), SUM(p)", "s"),
            new Query("", "", "p DESC", 0, 10),
            new Query("", "", "p", 3, 7),
            new Query("", "", "q, p DESC", 0, 20));

    private final ColumnStore store = new ColumnStore(64 << 20);

    @AfterEach
    void close() {
        store.close();
        assertThat(store.columnMemory().length()).isZero();
    }

    private void ask(final String what) {
        final QuerySource source = store.open();
        for (final Query query : QUERIES) {
            for (int workerCount = 1; workerCount < 3; workerCount++) {
                assertThat(CollectedAnswers.ask(source, query, workerCount))
                        .as("%s: %s by %d workers", what, query, workerCount)
                        .isEqualTo(CollectedAnswers.expected(source, query));
            }
        }
        store.close(source);
    }

    @Test
    void shouldAgreeWithReadingEachRowWhenBlocksAreOfOneKind() {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        final int firstSeed = Integer.getInteger("penstock.seed", 0);
        for (int seed = firstSeed; seed < firstSeed + seedCount; seed++) {
            final Random random = new Random(seed);
            final Shape shape = new Shape(random);
            for (int i = 0; i < BLOCK_COUNT * BLOCK_LENGTH; i++) {
                store.put(i, shape.json(random, i));
            }
            ask("seed " + seed);
            for (int i = random.nextInt(60); i > 0; i--) {
                final int row = random.nextInt(BLOCK_COUNT * BLOCK_LENGTH);
                if (random.nextInt(4) == 0) {
                    store.delete(row);
                } else {
                    store.put(row, random.nextInt(4) == 0 ? shape.other(random) : shape.json(random, row));
                }
            }
            store.reclaim();
            ask("seed " + seed + ", changed");
        }
    }

    /** Values of the rows of a store. */
    private static final class Shape {
        private final int textCount;
        private final long qFirst;
        private final int qCount;
        private final int pCount;
        private final int otherBlock;

        Shape(final Random random) {
            textCount = 1 << random.nextInt(9);
            qFirst = List.of(0L, -70_000L, 1L << 31, (1L << 46) - 500, -(1L << 46) + 300)
                    .get(random.nextInt(5));
            qCount = List.of(1, 9_000, 1_000_000).get(random.nextInt(3));
            pCount = List.of(50, 40_000, 20_000_000).get(random.nextInt(3));
            otherBlock = random.nextInt(2 * BLOCK_COUNT);
        }

        /** Texts that are rare come late; numbers of each block are about as great as those of others, or greater. */
        String json(final Random random, final int row) {
            final int block = row / BLOCK_LENGTH;
            if (block == otherBlock && random.nextInt(500) == 0) {
                return other(random);
            }
            final int text = random.nextInt(random.nextInt(300) == 0 ? textCount : 1 + textCount / 8);
            final int cents = 100 * random.nextInt(pCount) / 100 + random.nextInt(99) + 1;
            return "{\"s\":\"S" + text + "\",\"p\":" + decimal(cents, 100) + ",\"q\":"
                    + (qFirst + random.nextInt(qCount)) + ",\"f\":"
                    + decimal(random.nextInt(1_000_000) * 2 + 1, 1_000_000)
                    + "}";
        }

        private static String decimal(final int count, final int unit) {
            return count / unit + "." + Integer.toString(unit + count % unit).substring(1);
        }

        String other(final Random random) {
            return List.of(
                            "{\"s\":null,\"p\":1.5,\"q\":1,\"f\":0.5}",
                            "{\"s\":\"S0\",\"p\":7,\"q\":2.5,\"f\":3}",
                            "{\"s\":\"S1\",\"p\":0.1234567,\"q\":\"x\",\"f\":true}",
                            "{\"s\":5,\"p\":[1],\"q\":9007199254740993,\"f\":{\"a\":1}}",
                            "{\"s\":\"S2\"}")
                    .get(random.nextInt(5));
        }
    }

    /** More rows than totals of 64 bits are for. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldHandTotalsOnWhenGroupsAreLarge(final int textCount) {
        final IntFunction<String> json = i -> "{\"s\":\"S" + (i % 1000 == 999 ? textCount - 1 : 0) + "\",\"p\":"
                + (17_179_869_000L + i % 89) + ".25,\"q\":" + ((1L << 46) - 100_000 + i) + ",\"f\":" + i % 4_000_000
                + ".000001}";
        for (int i = 0; i < 37 * BLOCK_LENGTH; i++) {
            store.put(i, json.apply(i));
        }
        ask("large groups");
    }

    /** All rows of a block are counted, and no others. */
    @Test
    void shouldCountRowsOfBlocksThatAreBehind() {
        for (int i = 0; i < BLOCK_COUNT * BLOCK_LENGTH + 100; i++) {
            store.put(i, "{\"p\":" + (1_000_000 - i) + ",\"q\":" + i % 3 + "}");
        }
        ask("falling");
        for (int i = 0; i < 3_000; i += 7) {
            store.delete(2 * BLOCK_LENGTH + i);
            store.put(i, "{\"p\":" + i + "}");
        }
        final QuerySource before = store.open();
        for (int i = 0; i < 50; i++) {
            store.put(5 * BLOCK_LENGTH + i, "{\"p\":" + (2_000_000 + i) + "}");
        }
        ask("changed");
        final Query dearest = new Query("", "", "p DESC", 0, 10);
        assertThat(CollectedAnswers.ask(before, dearest, 1)).isEqualTo(CollectedAnswers.expected(before, dearest));
        store.close(before);
        ask("again");
    }

    /** What a worker has found bounds what another one reads. */
    @Test
    void shouldReadNothingWhenAnotherWorkerHasTheFirst() {
        for (int i = 0; i < BLOCK_COUNT * BLOCK_LENGTH; i++) {
            store.put(i, "{\"p\":" + i + ".5}");
        }
        final Query dearest = new Query("", "", "p DESC", 0, 10);
        final QuerySource source = store.open();
        CollectedAnswers.ask(source, dearest, 2);
        final QueryRun run = CollectedAnswers.run(dearest, source, 2);
        final QueryWorker last = run.worker(1);
        while (last.tally.rowsScanned() < 3 * BLOCK_LENGTH) {
            last.work();
        }
        while (!run.isDone()) {
            run.worker(0).work();
            last.work();
            drain(run);
        }
        assertThat(last.tally.lengthRead).isPositive();
        assertThat(run.worker(0).tally.lengthRead).isZero();
        assertThat(run.matches()).isEqualTo(BLOCK_COUNT * BLOCK_LENGTH);
        run.free();
        store.close(source);
    }

    private static void drain(final QueryRun run) {
        for (int i = 0; i < run.workerCount(); i++) {
            for (ResultPage page = run.poll(i); page != null; page = run.poll(i)) {
                run.recycle(i, page);
            }
        }
    }

    /** Nothing but the first blocks is looked at. */
    @Test
    void shouldLookAtNoRowOfBlocksThatAreBehind() {
        for (int i = 0; i < BLOCK_COUNT * BLOCK_LENGTH; i++) {
            store.put(i, "{\"p\":" + (1_000_000 - i) + "}");
        }
        ask("for columns");
        final QuerySource source = store.open();
        final QueryRun run = CollectedAnswers.run(new Query("", "", "p DESC", 0, 10), source, 1);
        int count = 0;
        while (run.worker(0).tally.rowsScanned() < BLOCK_COUNT * BLOCK_LENGTH) {
            run.worker(0).work();
            count++;
        }
        assertThat(count).isLessThan(BLOCK_COUNT);
        while (!run.isDone()) {
            run.worker(0).work();
            drain(run);
        }
        assertThat(run.matches()).isEqualTo(BLOCK_COUNT * BLOCK_LENGTH);
        run.free();
        store.close(source);
    }
}
