package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.query.column.ColumnBuild;
import io.penstock.broker.query.column.StoreColumns;
import io.penstock.format.FieldPath;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;

/** Columns that are made before a query wants them, and such as are dropped while queries use them. */
class ColumnBuildTest {
    private static final int SEED_COUNT_DEFAULT = 3;
    private static final int ROW_COUNT = 6_000;
    private static final List<FieldPath> FIELDS =
            List.of(FieldPath.of("a"), FieldPath.of("b"), FieldPath.of("c"), FieldPath.of("s"));
    private static final String[] FILTERS = {
        "a < 10", "b > 3 AND s LIKE 'x1%'", "c = 5 OR a = 7", "s = 'x3'", "a < 50 AND b < 50 AND c < 50"
    };

    /** For the rows' columns of 3 blocks, one field, and less than a part. */
    private static final long LENGTH_OF_ONE = 3 * (16_640 + 6_400) + 4_096;

    private final CachedNanoClock clock = new CachedNanoClock();

    private static String json(final int a) {
        return "{\"a\":" + a % 100 + ",\"b\":" + a % 90 + ",\"c\":" + a % 80 + ",\"s\":\"x" + a % 70 + "\"}";
    }

    private static void fill(final ColumnStore store) {
        for (int i = 0; i < ROW_COUNT; i++) {
            store.put(i, json(i));
        }
    }

    private static StoreColumns columns(final ColumnStore store) {
        return Objects.requireNonNull(StoreColumns.of(store.store()));
    }

    private ColumnBuild build(final ColumnStore store, final List<FieldPath> names) {
        final QuerySource source = store.open();
        final StoreColumns columns = columns(store);
        columns.name(names);
        final ColumnBuild build =
                new ColumnBuild(store.store(), columns, source.topic().format());
        while (!build.isDone()) {
            work(build, source, Integer.MAX_VALUE);
        }
        store.close(source);
        return build;
    }

    private void work(final ColumnBuild build, final QuerySource source, final int count) {
        build.begin(clock.nanoTime());
        for (int i = 0; i < count && build.work(source.snapshot().sequence(), clock.nanoTime()); i++) {
            // The next rows.
        }
        build.pause();
    }

    private static long ask(final ColumnStore store, final QuerySource source, final String filter, final long at) {
        final CachedNanoClock now = new CachedNanoClock();
        now.update(at);
        final ColumnStore.Answer answer = ColumnStore.ask(source, filter, 1, now);
        assertThat(answer.found())
                .as(filter)
                .isEqualTo(ColumnStore.expected(source, filter).found());
        assertThat(store.columnMemory().length())
                .isBetween(0L, store.columnMemory().lengthMax());
        return answer.rowsRead();
    }

    private long ask(final ColumnStore store, final String filter) {
        final QuerySource source = store.open();
        final long read = ask(store, source, filter, clock.nanoTime());
        store.close(source);
        return read;
    }

    @Test
    void shouldGiveMemoryToTheFirstFieldWhenThereIsTooLittle() {
        try (ColumnStore store = new ColumnStore(LENGTH_OF_ONE)) {
            fill(store);
            final ColumnBuild build = build(store, List.of(FIELDS.get(1), FIELDS.get(0)));
            assertThat(build.left()).containsExactly(FIELDS.get(0));
            assertThat(build.hasMissed()).isFalse();
            assertThat(ask(store, "b < 10")).isZero();
            clock.update(TimeUnit.HOURS.toNanos(1));
            assertThat(ask(store, "c < 10")).isEqualTo(ROW_COUNT);
            assertThat(ask(store, "b < 10")).isZero();
        }
    }

    @Test
    void shouldComeToAnEndWhenThereIsTooLittleMemoryAndLittleTimeForEachSnapshot() {
        try (ColumnStore store = new ColumnStore(LENGTH_OF_ONE)) {
            fill(store);
            final StoreColumns columns = columns(store);
            columns.name(FIELDS);
            final ColumnBuild build = new ColumnBuild(store.store(), columns, MessageFormats.formatFor("json"));
            for (int i = 0; i < 100 && !build.isDone(); i++) {
                final QuerySource source = store.open();
                work(build, source, 1);
                store.close(source);
            }
            assertThat(build.isDone()).isTrue();
            assertThat(build.left()).containsExactlyElementsOf(FIELDS.subList(1, 4));
        }
    }

    @Test
    void shouldReadFewRowsInOneGoWhenTheyAreLong() {
        try (ColumnStore store = new ColumnStore(1 << 20)) {
            for (int i = 0; i < 300; i++) {
                store.put(i, "{\"a\":1,\"t\":\"" + "t".repeat(50_000) + "\"}");
            }
            final StoreColumns columns = columns(store);
            columns.name(FIELDS.subList(0, 1));
            final QuerySource source = store.open();
            final ColumnBuild build =
                    new ColumnBuild(store.store(), columns, source.topic().format());
            build.begin(clock.nanoTime());
            int count = 1;
            while (build.work(source.snapshot().sequence(), clock.nanoTime())) {
                count++;
            }
            build.pause();
            store.close(source);
            assertThat(count).isEqualTo(5);
        }
    }

    @Test
    void shouldStayNamedWhenThereIsNoColumnToDrop() {
        try (ColumnStore store = new ColumnStore(LENGTH_OF_ONE)) {
            fill(store);
            final StoreColumns columns = columns(store);
            columns.name(FIELDS.subList(0, 1));
            assertThat(columns.drop(FIELDS.get(0))).isZero();
            assertThat(columns.drop(null)).isZero();
            assertThat(columns.names()).containsExactly(FIELDS.get(0));
            build(store, FIELDS.subList(0, 1));
            columns.name(FIELDS.subList(0, 2));
            assertThat(columns.drop(null)).isEqualTo(1);
            assertThat(columns.names()).containsExactly(FIELDS.get(1));
        }
    }

    @Test
    void shouldUseNoColumnWhenItFailsToBegin() {
        try (ColumnStore store = new ColumnStore(1 << 20)) {
            fill(store);
            final StoreColumns columns = columns(store);
            columns.name(FIELDS);
            final MessageFormat failing = (MessageFormat) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {MessageFormat.class}, (proxy, method, arguments) -> {
                        throw new IllegalStateException("test");
                    });
            final ColumnBuild build = new ColumnBuild(store.store(), columns, failing);
            assertThatThrownBy(() -> build.begin(clock.nanoTime())).hasMessage("test");
            assertThat(columns.drop(null)).isEqualTo(4);
            while (columns.sweepDropped()) {
                // Some blocks at a time.
            }
            assertThat(columns.isSweepPending()).isFalse();
        }
    }

    @Test
    void shouldStayWhenMostTextsHaveNoRoom() {
        try (ColumnStore store = new ColumnStore(64 << 20)) {
            for (int i = 0; i < 70_000; i++) {
                store.put(i, "{\"s\":\"text " + i + "\"}");
            }
            build(store, List.of(FIELDS.get(3)));
            assertThat(columns(store).namedOfNoUse()).containsExactly(FIELDS.get(3));
            ask(store, "s = 'text 7'");
            assertThat(store.columnMemory().droppedCount()).isZero();
            columns(store).name(List.of());
            ask(store, "s = 'text 7'");
            assertThat(store.columnMemory().droppedCount()).isEqualTo(1);
        }
    }

    /** Rows change, columns are made a part at a time, named, dropped and freed, and queries are right all the time. */
    @Test
    void shouldAnswerAsWithoutColumnsWhateverIsMadeAndDropped() {
        for (int seed = 0; seed < Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT); seed++) {
            final Random random = new Random(seed);
            final long lengthMax = random.nextBoolean() ? 1 << 20 : 60_000 + random.nextInt(100_000);
            try (ColumnStore store = new ColumnStore(lengthMax)) {
                fill(store);
                run(store, random, "seed " + seed);
                store.free();
                assertThat(store.columnMemory().length()).as("seed %d", seed).isZero();
            }
        }
    }

    private void run(final ColumnStore store, final Random random, final String seed) {
        final StoreColumns columns = columns(store);
        final List<QuerySource> open = new ArrayList<>();
        ColumnBuild build = new ColumnBuild(store.store(), columns, MessageFormats.formatFor("json"));
        for (int step = 0; step < 150; step++) {
            switch (random.nextInt(8)) {
                case 0 -> columns.name(FIELDS.subList(0, random.nextInt(FIELDS.size() + 1)));
                case 1 -> columns.drop(random.nextBoolean() ? null : FIELDS.get(random.nextInt(FIELDS.size())));
                case 2 -> columns.sweepDropped();
                case 3 -> clock.update(clock.nanoTime() + TimeUnit.SECONDS.toNanos(random.nextInt(20)));
                case 4 -> {
                    for (int i = 0; i < 100; i++) {
                        store.put(random.nextInt(ROW_COUNT + step), json(random.nextInt(1_000)));
                        store.delete(random.nextInt(ROW_COUNT));
                    }
                }
                case 5 -> {
                    final QuerySource source = store.open();
                    final String filter = FILTERS[random.nextInt(FILTERS.length)];
                    assertThat(ask(store, source, filter, clock.nanoTime()))
                            .as(seed)
                            .isNotNegative();
                    open.add(source);
                }
                case 6 -> {
                    if (!open.isEmpty()) {
                        final QuerySource source = open.remove(random.nextInt(open.size()));
                        ask(store, source, FILTERS[random.nextInt(FILTERS.length)], clock.nanoTime());
                        store.close(source);
                        store.reclaim();
                    }
                }
                default -> {
                    final QuerySource source = store.open();
                    if (build.isDone()) {
                        build = new ColumnBuild(
                                store.store(), columns, source.topic().format());
                    }
                    work(build, source, random.nextInt(10));
                    store.close(source);
                }
            }
        }
        open.forEach(store::close);
        columns.drop(null);
        while (columns.sweepDropped()) {
            // Some blocks at a time.
        }
        assertThat(columns.isSweepPending()).as(seed).isFalse();
        assertThat(store.columnMemory().length()).as(seed).isZero();
    }

    @Test
    void shouldAnswerWhileAnotherThreadDrops() {
        try (ColumnStore store = new ColumnStore(1 << 20)) {
            fill(store);
            final StoreColumns columns = columns(store);
            final QuerySource source = store.open();
            final AtomicBoolean isDone = new AtomicBoolean();
            final CompletableFuture<Void> dropping = CompletableFuture.runAsync(() -> {
                while (!isDone.get()) {
                    columns.drop(null);
                    columns.sweepDropped();
                    Thread.onSpinWait();
                }
            });
            try {
                for (int i = 0; i < 60; i++) {
                    ask(store, source, FILTERS[i % FILTERS.length], i);
                }
            } finally {
                isDone.set(true);
                dropping.join();
            }
            store.close(source);
        }
    }
}
