package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.CollectedAnswers.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Groups and the first of an order over random records that change meanwhile, by snapshots of several sequences in any
 * order, against reading each row. {@code -Dpenstock.seeds} runs more seeds.
 */
class CollectColumnTest {
    private static final int SEED_COUNT_DEFAULT = 6;
    private static final int KEY_COUNT = 4_200;
    private static final int STEP_COUNT = 15;
    private static final int SNAPSHOT_COUNT_MAX = 4;

    @Test
    void shouldAgreeWithReadingEachRowWhenRecordsChange() {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        final int firstSeed = Integer.getInteger("penstock.seed", 0);
        for (int seed = firstSeed; seed < firstSeed + seedCount; seed++) {
            new Run(seed).run();
        }
    }

    /** The last of them are told apart in another way than the first. */
    @Test
    void shouldCountTheDifferentValuesOfManyFields() {
        final StringBuilder select = new StringBuilder("g");
        for (int field = 0; field < 10; field++) {
            select.append(", COUNT(DISTINCT f").append(field).append(") AS n").append(field);
        }
        final ColumnStore store = new ColumnStore(64 << 20);
        for (int i = 0; i < KEY_COUNT; i++) {
            final StringBuilder json = new StringBuilder("{\"g\":" + i % 3);
            for (int field = 0; field < 10; field++) {
                final int value = i * (field + 7) % (50 + field);
                json.append(",\"f" + field + "\":").append(i % 2 == 0 ? "" + value : "\"t" + value + "\"");
            }
            store.put(i, json + "}");
        }
        final QuerySource source = store.open();
        final Query query = Query.groups("", select.toString(), "g");
        for (int i = 0; i < 2; i++) {
            assertThat(CollectedAnswers.ask(source, query, 2)).isEqualTo(CollectedAnswers.expected(source, query));
        }
        store.close(source);
        store.close();
    }

    /** One store and what is asked of it. */
    private static final class Run {
        private final int seed;
        private final Random random;
        private final MixedRecords records;
        private final ColumnStore store;
        private final List<QuerySource> sources = new ArrayList<>();

        Run(final int seed) {
            this.seed = seed;
            random = new Random(seed);
            records = new MixedRecords(random);
            store = new ColumnStore(random.nextInt(4) == 0 ? random.nextInt(400_000) : 64 << 20);
        }

        void run() {
            for (int i = 0; i < KEY_COUNT; i++) {
                store.put(i, records.json());
            }
            for (int step = 0; step < STEP_COUNT; step++) {
                change();
                if (sources.size() < SNAPSHOT_COUNT_MAX) {
                    sources.add(store.open());
                }
                for (int i = 0; i < 3; i++) {
                    ask(step, random.nextInt(5) < 3 ? records.groups() : records.top());
                }
                if (random.nextInt(3) > 0) {
                    store.close(sources.remove(random.nextInt(sources.size())));
                    store.reclaim();
                }
            }
            store.close();
            assertThat(store.columnMemory().length()).isZero();
        }

        private void change() {
            final int count = random.nextInt(4) == 0 ? random.nextInt(1_000) : random.nextInt(50);
            final int first = random.nextInt(KEY_COUNT);
            for (int i = 0; i < count; i++) {
                final int key = random.nextBoolean() ? random.nextInt(KEY_COUNT + 500) : first + i % 20;
                if (random.nextInt(3) == 0) {
                    store.delete(key);
                } else {
                    store.put(key, records.json());
                }
            }
        }

        private void ask(final int step, final Query query) {
            final String limit =
                    random.nextInt(4) == 0 ? FilterCompiler.canonicalText("q < 70", FilterLimits.COMBINED) : "";
            final QuerySource source =
                    sources.get(random.nextInt(sources.size())).limitedTo(limit);
            assertThat(CollectedAnswers.ask(source, query, 1 + random.nextInt(2)))
                    .as("seed %s, step %s: %s of those with %s", seed, step, query, limit)
                    .isEqualTo(CollectedAnswers.expected(source, query));
        }
    }
}
