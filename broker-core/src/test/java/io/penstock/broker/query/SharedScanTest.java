package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.block.ScanPositions;
import io.penstock.broker.security.IdentityUse;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.protocol.RecordDescriptor;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Several queries at once on several agents, which look at blocks together, while rows change: each answers what its
 * snapshot shows, whatever the others do. {@code -Dpenstock.seeds} runs more seeds.
 */
class SharedScanTest {
    private static final int SEED_COUNT_DEFAULT = 1;
    private static final int KEY_COUNT = 12 * StateStore.BLOCK_LENGTH - 700;
    private static final int QUERY_COUNT = 60;
    private static final int ACTIVE_MAX = 10;
    private static final int TOP_N = 15;
    private static final int SKIP_N = 40;
    private static final long TIMEOUT_NS = 1_000_000;
    private static final int CYCLES_MAX = 100;
    private static final String[] FILTERS = {
        "s LIKE 'S1%' AND p > 50 AND q BETWEEN 10 AND 70",
        "s LIKE 'S1%'",
        "q BETWEEN 10 AND 70",
        "NOT (s = 'S3' OR q IN (1, 2, 3)) AND p < 20",
        "r IS NULL OR p >= 99.5",
        "r = 'new' AND q * 2 > 100",
        "p > 1000",
        ""
    };

    @Test
    void shouldAnswerEachQueryWhenSeveralShareBlocks() {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        for (int seed = 0; seed < seedCount; seed++) {
            final Model model = new Model(seed, 1 + (seed + 1) % 3);
            try {
                model.run();
            } catch (final Throwable e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void shouldReadEachRowOnceWhenQueriesOfTheSameFieldsComeTogether() {
        try (ColumnStore store = new ColumnStore(64 << 20)) {
            final Random random = new Random(1);
            for (int i = 0; i < KEY_COUNT; i++) {
                store.put(i, json(random, i));
            }
            final QuerySource source = store.open();
            final Agent agent = new Agent();
            final List<QueryRun> runs = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                runs.add(ColumnStore.run(QueryPlan.rows("q = " + i, Long.MAX_VALUE / 4), source, 1));
                agent.start(runs.get(i).worker(0));
                agent.doWork();
            }
            agent.doAll();
            assertThat(runs.stream().mapToLong(QueryRun::rowsRead).sum()).isEqualTo(KEY_COUNT);
            for (int i = 0; i < 5; i++) {
                final LongArrayList rows = new LongArrayList();
                assertThat(ColumnStore.answer(runs.get(i), rows).found())
                        .isEqualTo(ColumnStore.expected(source, "q = " + i).found());
            }
            store.close(source);
        }
    }

    @Test
    void shouldAnswerAShortQueryWhenLongOnesRun() {
        try (ColumnStore large = new ColumnStore(64 << 20);
                ColumnStore small = new ColumnStore(64 << 20)) {
            final Random random = new Random(1);
            for (int i = 0; i < KEY_COUNT; i++) {
                large.put(i, json(random, i));
            }
            small.put(1, json(random, 1));
            final QuerySource ofLarge = large.open();
            final QuerySource ofSmall = small.open();
            final Agent agent = new Agent();
            final List<QueryRun> runs = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                runs.add(ColumnStore.run(QueryPlan.rows("q < 50", Long.MAX_VALUE / 4), ofLarge, 1));
                agent.start(runs.get(i).worker(0));
            }
            agent.doWork();
            final QueryRun late = ColumnStore.run(QueryPlan.rows("", Long.MAX_VALUE / 4), ofSmall, 1);
            agent.start(late.worker(0));
            agent.doWork();
            agent.doWork();
            assertThat(late.isDone()).isTrue();
            assertThat(runs).noneMatch(QueryRun::isDone);
            ColumnStore.answer(late, new LongArrayList());
            runs.forEach(QueryRun::cancel);
            agent.doAll();
            runs.forEach(QueryRun::free);
            large.close(ofLarge);
            small.close(ofSmall);
        }
    }

    private static String json(final Random random, final int number) {
        final String price = random.nextInt(3) == 0 ? "" + random.nextInt(100) : random.nextInt(1000) / 10.0 + "";
        final String rest = random.nextInt(3) == 0 ? ",\"r\":\"new\"" : random.nextInt(3) == 0 ? ",\"r\":[1]" : "";
        return "{\"n\":" + number + ",\"s\":\"S" + random.nextInt(40) + "\",\"p\":" + price + ",\"q\":"
                + random.nextInt(100) + rest + "}";
    }

    /** Works on queries as a query agent does. */
    private static final class Agent {
        private final ScanPositions positions = new ScanPositions();
        private final List<QueryWorker> active = new ArrayList<>();

        void start(final QueryWorker worker) {
            worker.join(positions);
            active.add(worker);
        }

        void doWork() {
            List.copyOf(active).forEach(QueryWorker::work);
            active.removeIf(QueryWorker::isDone);
        }

        void doAll() {
            while (!active.isEmpty()) {
                doWork();
            }
        }
    }

    /** What a query is asked for. */
    private enum Kind {
        ROWS,
        COUNT,
        ORDERED,
        FIRST,
        KEYS
    }

    /** What becomes of a query. */
    private enum End {
        ANSWER,
        CANCEL,
        TIMEOUT
    }

    /** One store, whose publisher is the test as well. */
    private static final class Model {
        private final Random random;
        private final ColumnStore store = new ColumnStore(64 << 20);
        private final List<Agent> agents = new ArrayList<>();
        private final List<Asked> active = new ArrayList<>();
        private long nowNs;
        private long matches;

        Model(final int seed, final int agentCount) {
            random = new Random(seed);
            for (int i = 0; i < agentCount; i++) {
                agents.add(new Agent());
            }
        }

        void run() {
            for (int i = 0; i < KEY_COUNT; i++) {
                store.put(i, json(random, i));
            }
            int asked = 0;
            while (asked < QUERY_COUNT || !active.isEmpty()) {
                if (asked < QUERY_COUNT && active.size() < ACTIVE_MAX && random.nextInt(3) == 0) {
                    ask();
                    asked++;
                }
                change(random.nextInt(40));
                agents.get(random.nextInt(agents.size())).doWork();
                active.removeIf(this::proceed);
            }
            assertThat(matches).isPositive();
            store.close();
            assertThat(store.columnMemory().length()).isZero();
        }

        private void change(final int count) {
            for (int i = 0; i < count; i++) {
                final int key = random.nextInt(KEY_COUNT + 100);
                if (random.nextInt(4) == 0) {
                    store.delete(key);
                } else {
                    store.put(key, json(random, key));
                }
            }
            store.reclaim();
        }

        private void ask() {
            final List<Kind> kinds = List.of(Kind.values());
            final Kind kind = kinds.get(random.nextInt(kinds.size()));
            final String text = FILTERS[random.nextInt(FILTERS.length)];
            final String filter = text.isEmpty() ? "" : FilterCompiler.canonicalText(text, FilterLimits.DEFAULTS);
            final int rest = random.nextInt(8);
            final End end = rest == 0 ? End.CANCEL : rest == 1 ? End.TIMEOUT : End.ANSWER;
            final long timeoutNs = end == End.TIMEOUT ? TIMEOUT_NS : Long.MAX_VALUE / 4;
            final QuerySource whole = store.open();
            final QuerySource source = kind == Kind.KEYS ? someOf(whole) : whole;
            final QueryRun run = new QueryRun(
                    plan(kind, filter, timeoutNs),
                    List.of(source),
                    agents.size(),
                    () -> nowNs,
                    () -> {},
                    IdentityUse.ofNobody());
            final int first = random.nextInt(agents.size());
            for (int i = 0; i < run.workerCount(); i++) {
                agents.get((first + i) % agents.size()).start(run.worker(i));
            }
            active.add(new Asked(run, kind, end, source, expected(kind, whole, source, filter)));
        }

        private QuerySource someOf(final QuerySource whole) {
            final int[] rows = random.ints(3_000, 0, whole.count()).distinct().toArray();
            return new QuerySource(whole.topic(), whole.store(), whole.snapshot(), rows);
        }

        private static QueryPlan plan(final Kind kind, final String filter, final long timeoutNs) {
            return new QueryPlan(
                    filter,
                    kind == Kind.ORDERED ? OrderBy.parse("q DESC, n") : null,
                    kind == Kind.ORDERED || kind == Kind.FIRST
                            ? new QueryPlan.Excerpt(SKIP_N, TOP_N, 0)
                            : QueryPlan.Excerpt.ALL,
                    null,
                    kind == Kind.COUNT ? SelectList.parse("COUNT(*) AS c", "", FilterLimits.DEFAULTS) : null,
                    "",
                    timeoutNs,
                    kind == Kind.COUNT ? QueryPlan.Found.RECORDS : QueryPlan.Found.ROWS);
        }

        /** The sequences of the answer's versions, or the count. */
        private static List<Long> expected(
                final Kind kind, final QuerySource whole, final QuerySource source, final String filter) {
            final List<List<Long>> rows =
                    ColumnStore.expected(whole, filter).found().rows();
            final List<Long> versions = rows.stream().map(each -> each.get(1)).toList();
            return switch (kind) {
                case ROWS -> versions;
                case COUNT -> List.of((long) versions.size());
                case FIRST -> excerpt(versions);
                case ORDERED ->
                    excerpt(rows.stream()
                            .sorted(Comparator.comparing(each -> sortKey(whole, each.get(0))))
                            .map(each -> each.get(1))
                            .toList());
                case KEYS -> {
                    final LongArrayList some = new LongArrayList();
                    for (int i = 0; i < source.count(); i++) {
                        some.addLong(source.row(i));
                    }
                    yield rows.stream()
                            .filter(each -> some.containsLong(each.get(0)))
                            .map(each -> each.get(1))
                            .toList();
                }
            };
        }

        private static List<Long> excerpt(final List<Long> versions) {
            return versions.subList(Math.min(SKIP_N, versions.size()), Math.min(SKIP_N + TOP_N, versions.size()));
        }

        /** Takes pages, at times; true when the query has come to its end. */
        private boolean proceed(final Asked asked) {
            asked.progressed();
            if (asked.end != End.ANSWER && random.nextInt(5) == 0 && !asked.run.isDone()) {
                end(asked);
                return true;
            }
            if (random.nextInt(3) == 0) {
                asked.takePages();
            }
            if (!asked.run.isDone()) {
                return false;
            }
            asked.takePages();
            // The clock was moved on for another one.
            if (asked.end != End.TIMEOUT || asked.run.failure() == null) {
                asked.check();
                matches += asked.run.matches();
            } else {
                assertThat(asked.run.failure()).isEqualTo(QueryFailure.TIMED_OUT);
            }
            finish(asked);
            return true;
        }

        /** Its workers stop within a few cycles of their agents, and others go on. */
        private void end(final Asked asked) {
            if (asked.end == End.CANCEL) {
                asked.run.cancel();
            } else {
                nowNs += 2 * TIMEOUT_NS;
            }
            for (int i = 0; i < CYCLES_MAX && !asked.run.isDone(); i++) {
                agents.forEach(Agent::doWork);
                if (asked.end == End.TIMEOUT) {
                    asked.takePages();
                }
            }
            assertThat(asked.run.isDone()).isTrue();
            if (asked.end == End.CANCEL) {
                assertThat(asked.run.failure()).isNull();
            } else if (asked.run.failure() == null) {
                // It had come to its last blocks before the clock was looked at.
                asked.check();
            } else {
                assertThat(asked.run.failure()).isEqualTo(QueryFailure.TIMED_OUT);
            }
            finish(asked);
        }

        private void finish(final Asked asked) {
            asked.takePages();
            asked.run.free();
            store.close(asked.source);
        }
    }

    private static String sortKey(final QuerySource source, final long row) {
        final long version =
                source.store().versionAt((int) row, source.snapshot().sequence());
        final UnsafeBuffer message = new UnsafeBuffer(0, 0);
        Version.wrapMessage(message, version);
        final String json = message.getStringWithoutLengthUtf8(0, message.capacity());
        return String.format("%04d %08d", 1000 - number(json, "\"q\":"), number(json, "\"n\":"));
    }

    private static int number(final String json, final String name) {
        final int start = json.indexOf(name) + name.length();
        int end = start;
        while (end < json.length() && Character.isDigit(json.charAt(end))) {
            end++;
        }
        return Integer.parseInt(json.substring(start, end));
    }

    /** A query that is being answered. */
    private static final class Asked {
        private final QueryRun run;
        private final Kind kind;
        private final End end;
        private final QuerySource source;
        private final List<Long> expected;
        private final LongArrayList found = new LongArrayList();
        private @Nullable String count;
        private long scanned;

        Asked(final QueryRun run, final Kind kind, final End end, final QuerySource source, final List<Long> expected) {
            this.run = run;
            this.kind = kind;
            this.end = end;
            this.source = source;
            this.expected = expected;
        }

        void progressed() {
            assertThat(run.scanned()).isBetween(scanned, run.rowCount());
            scanned = run.scanned();
        }

        void takePages() {
            for (int i = 0; i < run.workerCount(); i++) {
                for (ResultPage page = run.poll(i); page != null; page = run.poll(i)) {
                    if (kind == Kind.COUNT) {
                        final UnsafeBuffer buffer = page.buffer();
                        count = buffer.getStringWithoutLengthUtf8(
                                RecordDescriptor.HEADER_LENGTH,
                                buffer.getInt(RecordDescriptor.LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN)
                                        - RecordDescriptor.HEADER_LENGTH);
                    } else {
                        ColumnStore.addRows(page, found);
                    }
                    run.recycle(i, page);
                }
            }
        }

        void check() {
            assertThat(run.failure()).isNull();
            if (kind != Kind.FIRST) {
                assertThat(run.scanned()).isEqualTo(run.rowCount());
            }
            if (kind == Kind.COUNT) {
                assertThat(count).isEqualTo("{\"c\":" + expected.get(0) + "}");
                assertThat(run.matches()).isEqualTo(expected.get(0));
                return;
            }
            final List<Long> versions = new ArrayList<>();
            for (int i = 1; i < found.size(); i += 2) {
                versions.add(found.getLong(i));
            }
            if (kind == Kind.ORDERED || kind == Kind.FIRST) {
                assertThat(versions).as("%s of %s", kind, run.plan().filter()).isEqualTo(expected);
            } else {
                assertThat(versions)
                        .as("%s of %s", kind, run.plan().filter())
                        .containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }
}
