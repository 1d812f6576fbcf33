package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.CollectedAnswers.Query;
import io.penstock.broker.query.ColumnStore.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Two query agents over the same columns while a publisher changes the rows: each answer is that of its snapshot. One
 * agent may hold an older snapshot than the columns are of. With little memory columns give way. {@code -Dpenstock.seeds}
 * runs more seeds.
 */
class ColumnReadersTest {
    private static final int SEED_COUNT_DEFAULT = 2;
    private static final int KEY_COUNT = 4_500;
    private static final int QUERY_COUNT = 40;
    private static final long VERSION_LENGTH_MAX = 64 << 20;
    private static final String[] FILTERS = {
        "s LIKE 'S1%' AND p > 50 AND q BETWEEN 10 AND 70",
        "NOT (s = 'S3' OR q IN (1, 2, 3)) AND p < 20",
        "r IS NULL OR p >= 99.5",
        "r = 'new' AND q * 2 > 100",
        "q < 5"
    };
    private static final Query[] QUERIES = {
        Query.groups("", "s, COUNT(*) AS n, AVG(p) AS mean, MIN(q) AS least", "s"),
        Query.groups("", "r, s, SUM(q) AS total", "r, s"),
        Query.groups("", "s, COUNT(DISTINCT r) AS u, COUNT(DISTINCT q) AS n", "s"),
        Query.groups("", "COUNT(r) AS n, COUNT(DISTINCT s) AS u, MAX(p) AS greatest", ""),
        new Query("", "", "p DESC", 0, 10),
        new Query("", "", "r, q DESC", 3, 20)
    };

    @Test
    void shouldFindWhatTheSnapshotShowsWhenRowsChange() throws Exception {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        for (int seed = 0; seed < seedCount; seed++) {
            new Run(seed, 64 << 20).run();
        }
    }

    @Test
    void shouldFindWhatTheSnapshotShowsWhenColumnsGiveWay() throws Exception {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        for (int seed = 0; seed < seedCount; seed++) {
            final Run run = new Run(seed, 110_000);
            run.run();
            assertThat(run.store.columnMemory().droppedCount())
                    .as("seed %s", seed)
                    .isPositive();
        }
    }

    private static String json(final Random random) {
        final int symbol = random.nextInt(40);
        final String price = random.nextInt(3) == 0 ? "" + random.nextInt(100) : random.nextInt(1000) / 10.0 + "";
        final String rest = random.nextInt(3) == 0 ? ",\"r\":\"new\"" : random.nextInt(3) == 0 ? ",\"r\":[1]" : "";
        return "{\"s\":\"S" + symbol + "\",\"p\":" + price + ",\"q\":" + random.nextInt(100) + rest + "}";
    }

    /** One store, whose publisher is the test's own thread. */
    private static final class Run {
        private final int seed;
        private final Random random;
        private final ColumnStore store;
        private final AtomicLong nowNs = new AtomicLong();
        private final ConcurrentLinkedQueue<CompletableFuture<QuerySource>> asked = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<QuerySource> unused = new ConcurrentLinkedQueue<>();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicLong found = new AtomicLong();
        private final AtomicBoolean isEnding = new AtomicBoolean();

        Run(final int seed, final long columnLengthMax) {
            this.seed = seed;
            store = new ColumnStore(columnLengthMax);
            random = new Random(seed);
        }

        void run() throws InterruptedException {
            for (int i = 0; i < KEY_COUNT; i++) {
                store.put(i, json(random));
            }
            final List<Thread> agents = List.of(new Thread(() -> agent(1)), new Thread(() -> agent(2)));
            agents.forEach(Thread::start);
            while (agents.stream().anyMatch(Thread::isAlive)) {
                // Agents that wait for a processor hold their snapshots meanwhile.
                if (store.store().versionLength() < VERSION_LENGTH_MAX) {
                    change();
                }
                serve();
            }
            for (final Thread agent : agents) {
                agent.join();
            }
            serve();
            if (failure.get() != null) {
                throw new AssertionError("seed " + seed, failure.get());
            }
            assertThat(found.get()).isPositive();
            store.close();
            assertThat(store.columnMemory().length()).isZero();
        }

        private void change() {
            final int key = random.nextInt(KEY_COUNT + 200);
            if (random.nextInt(4) == 0) {
                store.delete(key);
            } else {
                store.put(key, json(random));
            }
        }

        private void serve() {
            CompletableFuture<QuerySource> request;
            while ((request = asked.poll()) != null) {
                request.complete(store.open());
            }
            QuerySource done;
            while ((done = unused.poll()) != null) {
                store.close(done);
            }
            store.reclaim();
        }

        private void agent(final int number) {
            final Random own = new Random(31L * seed + number);
            final List<QuerySource> held = new ArrayList<>();
            try {
                for (int i = 0; i < QUERY_COUNT && !isEnding.get(); i++) {
                    if (held.size() < 2 || own.nextBoolean()) {
                        final CompletableFuture<QuerySource> request = new CompletableFuture<>();
                        asked.add(request);
                        held.add(request.join());
                    }
                    final QuerySource source = held.get(own.nextInt(held.size()));
                    if (own.nextBoolean()) {
                        ask(source, FILTERS[own.nextInt(FILTERS.length)], 1 + own.nextInt(2));
                    } else {
                        ask(source, QUERIES[own.nextInt(QUERIES.length)], 1 + own.nextInt(2));
                    }
                    if (held.size() > 2) {
                        unused.add(held.remove(own.nextInt(held.size())));
                    }
                }
            } catch (final Throwable e) {
                failure.compareAndSet(null, e);
                isEnding.set(true);
            }
            unused.addAll(held);
        }

        private void ask(final QuerySource source, final String filter, final int workerCount) {
            // Each query comes long after the one before.
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(20));
            final Found answer =
                    ColumnStore.ask(source, filter, workerCount, nowNs::get).found();
            assertThat(answer)
                    .as("%s at %s", filter, source.snapshot().sequence())
                    .isEqualTo(ColumnStore.expected(source, filter).found());
            found.addAndGet(answer.matches());
        }

        private static void ask(final QuerySource source, final Query query, final int workerCount) {
            assertThat(CollectedAnswers.ask(source, query, workerCount))
                    .as("%s at %s", query, source.snapshot().sequence())
                    .isEqualTo(CollectedAnswers.expected(source, query));
        }
    }
}
