package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.ColumnStore;
import io.penstock.broker.query.QuerySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;

/**
 * Queries with random conditions over random messages that change meanwhile, by snapshots of several sequences in any
 * order, against evaluating the filter over each row. With little memory columns give way to others, also those of another
 * topic. {@code -Dpenstock.seeds} runs more seeds.
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
            new Run(seed, seed % 4 == 0 ? new Random(seed).nextInt(400_000) : 64 << 20).run();
        }
    }

    @Test
    void shouldAgreeWithTheFilterWhenColumnsGiveWay() {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        final int firstSeed = Integer.getInteger("penstock.seed", 0);
        long droppedCount = 0;
        for (int seed = firstSeed; seed < firstSeed + seedCount; seed++) {
            droppedCount += new Run(seed, 80_000 + new Random(seed).nextInt(300_000)).run();
        }
        assertThat(droppedCount).isPositive();
    }

    /** Two stores of one memory, and what is asked of them. */
    private static final class Run {
        private final int seed;
        private final Random random;
        private final RandomExpressions expressions;
        private final ColumnStore store;
        private final ColumnStore other;
        private final CachedNanoClock clock = new CachedNanoClock();
        private final List<QuerySource> sources = new ArrayList<>();
        private final List<String> conditions = new ArrayList<>();

        Run(final int seed, final long columnLengthMax) {
            this.seed = seed;
            random = new Random(seed);
            expressions = new RandomExpressions(seed);
            store = new ColumnStore(columnLengthMax);
            other = store.another();
        }

        /** Returns how many columns were dropped. */
        long run() {
            for (int i = 0; i < KEY_COUNT; i++) {
                store.put(i, FilterModelTest.json(expressions.message()));
                other.put(i, FilterModelTest.json(expressions.message()));
            }
            boolean isFreed = false;
            for (int step = 0; step < STEP_COUNT; step++) {
                change();
                if (sources.size() < SNAPSHOT_COUNT_MAX) {
                    sources.add(store.open());
                }
                ask(step);
                if (!isFreed) {
                    askOther(step);
                    isFreed = random.nextInt(STEP_COUNT) == 0;
                    if (isFreed) {
                        other.free();
                    }
                }
                if (random.nextInt(3) > 0) {
                    store.close(sources.remove(random.nextInt(sources.size())));
                    store.reclaim();
                }
            }
            other.free();
            store.close();
            assertThat(store.columnMemory().length()).isZero();
            assertThat(store.columnMemory().holders()).isEmpty();
            return store.columnMemory().droppedCount();
        }

        private void askOther(final int step) {
            final QuerySource source = other.open();
            final String filter = conditions.get(random.nextInt(conditions.size()));
            assertAgrees(source, filter, "seed " + seed + ", step " + step + ", other: " + filter);
            other.close(source);
        }

        private void assertAgrees(final QuerySource source, final String filter, final String description) {
            clock.update(clock.nanoTime() + TimeUnit.SECONDS.toNanos(random.nextInt(8)));
            assertThat(ColumnStore.ask(source, filter, 1 + random.nextInt(2), clock)
                            .found())
                    .as(description)
                    .isEqualTo(ColumnStore.expected(source, filter).found());
            assertThat(store.columnMemory().length())
                    .isBetween(0L, store.columnMemory().lengthMax());
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
                assertAgrees(source, filter, "seed " + seed + ", step " + step + ": " + filter + " of " + limit);
            }
        }

        private static String canonical(final Model condition) {
            return FilterCompiler.canonicalText(condition.text(), FilterLimits.COMBINED);
        }
    }
}
