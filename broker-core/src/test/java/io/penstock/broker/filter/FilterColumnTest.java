package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.ColumnStore;
import io.penstock.broker.query.QuerySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Queries with random conditions over random messages that change meanwhile, by snapshots of several sequences in any
 * order, against evaluating the filter over each row. {@code -Dpenstock.seeds} runs more seeds.
 */
class FilterColumnTest {
    private static final int SEED_COUNT_DEFAULT = 5;
    private static final int KEY_COUNT = 4_200;
    private static final int STEP_COUNT = 25;
    private static final int SNAPSHOT_COUNT_MAX = 4;

    @Test
    void shouldAgreeWithTheFilterWhenRecordsChange() {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        final int firstSeed = Integer.getInteger("penstock.seed", 0);
        for (int seed = firstSeed; seed < firstSeed + seedCount; seed++) {
            new Run(seed).run();
        }
    }

    /** One store and what is asked of it. */
    private static final class Run {
        private final int seed;
        private final Random random;
        private final RandomExpressions expressions;
        private final ColumnStore store;
        private final List<QuerySource> sources = new ArrayList<>();
        private final List<String> conditions = new ArrayList<>();

        Run(final int seed) {
            this.seed = seed;
            random = new Random(seed);
            expressions = new RandomExpressions(seed);
            store = new ColumnStore(random.nextInt(4) == 0 ? random.nextInt(400_000) : 64 << 20);
        }

        void run() {
            for (int i = 0; i < KEY_COUNT; i++) {
                store.put(i, FilterModelTest.json(expressions.message()));
            }
            for (int step = 0; step < STEP_COUNT; step++) {
                change();
                if (sources.size() < SNAPSHOT_COUNT_MAX) {
                    sources.add(store.open());
                }
                ask(step);
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
                    store.put(key, FilterModelTest.json(expressions.message()));
                }
            }
        }

        private void ask(final int step) {
            if (conditions.size() < 20 || random.nextInt(3) == 0) {
                conditions.add(canonical(expressions.condition(1 + random.nextInt(3))));
            }
            for (int i = 0; i < 2; i++) {
                final String filter = conditions.get(random.nextInt(conditions.size()));
                final String limit = random.nextInt(3) == 0 ? conditions.get(random.nextInt(conditions.size())) : "";
                final QuerySource source =
                        sources.get(random.nextInt(sources.size())).limitedTo(limit);
                assertThat(ColumnStore.ask(source, filter, 1 + random.nextInt(2))
                                .found())
                        .as("seed %s, step %s: %s of those with %s", seed, step, filter, limit)
                        .isEqualTo(ColumnStore.expected(source, filter).found());
            }
        }

        private static String canonical(final Model condition) {
            return FilterCompiler.canonicalText(condition.text(), FilterLimits.COMBINED);
        }
    }
}
