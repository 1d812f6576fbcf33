package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.CollectedAnswers.Query;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What queries for groups and for the first of an order read of the messages, and allocate. */
class CollectCostTest {
    private static final int ROW_COUNT = 40_000;
    private static final int STEPS_BEFORE = 6;
    private static final int WARM_UP_COUNT = 60;
    private static final long BYTES_MAX = 512;
    private static final Query MEANS = Query.groups("", "s, COUNT(*), AVG(p), MIN(q), COUNT(t)", "s");
    private static final Query DEAREST = new Query("", "", "p DESC", 0, 10);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ColumnStore store = new ColumnStore(64 << 20);

    @AfterEach
    void close() {
        store.close();
        assertThat(store.columnMemory().length()).isZero();
    }

    private void fill() {
        for (int i = 0; i < ROW_COUNT; i++) {
            put(i, i);
        }
    }

    private void put(final int key, final int value) {
        final int mixed = value * 7919 % 10_007;
        store.put(
                key,
                "{\"s\":\"S" + mixed % 50 + "\",\"p\":" + mixed / 100.0 + ",\"q\":" + mixed % 97 + ",\"t\":\"x"
                        + value % 3 + "\",\"u\":\"unlike " + value + "\"}");
    }

    /** Checks the answer, and returns the bytes of the messages that were read beside those for columns. */
    private Cost ask(final Query query) {
        final QuerySource source = store.open();
        assertThat(CollectedAnswers.ask(source, query, 2)).isEqualTo(CollectedAnswers.expected(source, query));
        final QueryRun run = CollectedAnswers.run(query, source, 1);
        while (!run.isDone()) {
            run.worker(0).work();
            drain(run);
        }
        final Cost cost = new Cost(run.rowsRead(), run.worker(0).tally.lengthRead);
        drain(run);
        run.free();
        store.close(source);
        return cost;
    }

    private static void drain(final QueryRun run) {
        for (ResultPage page = run.poll(0); page != null; page = run.poll(0)) {
            run.recycle(0, page);
        }
    }

    /**
     * What a query read, when it was asked for the second time.
     *
     * @param rows   whose messages were read to decide about them, or for columns.
     * @param length of messages that were looked at in bytes, those for columns left out.
     */
    private record Cost(long rows, long length) {}

    @Test
    void shouldReadNothingWhenGroupsAreAskedForAgain() {
        fill();
        assertThat(ask(MEANS)).isEqualTo(new Cost(0, 0));
        assertThat(ask(Query.groups("", "COUNT(*), SUM(q), MAX(p * q) AS m", "")))
                .isEqualTo(new Cost(0, 0));
        assertThat(ask(Query.groups("", "s, t, q, SUM(p)", "s, t, q"))).isEqualTo(new Cost(0, 0));
        final String distinct = "COUNT(DISTINCT s), COUNT(DISTINCT p), COUNT(DISTINCT q)";
        assertThat(ask(Query.groups("", distinct, ""))).isEqualTo(new Cost(0, 0));
        assertThat(ask(Query.groups("", "q, s, " + distinct, "q, s"))).isEqualTo(new Cost(0, 0));
    }

    @Test
    void shouldReadNothingWhenGroupsOfAFilterAreAskedForAgain() {
        fill();
        final String filter = FilterCompiler.canonicalText("q BETWEEN 10 AND 40", FilterLimits.COMBINED);
        assertThat(ask(Query.groups(filter, "COUNT(*)", ""))).isEqualTo(new Cost(0, 0));
        assertThat(ask(Query.groups(filter, "t, AVG(p)", "t"))).isEqualTo(new Cost(0, 0));
    }

    @Test
    void shouldReadOnlyCandidatesWhenTheFirstAreAskedForAgain() {
        fill();
        assertThat(ask(DEAREST).length()).isPositive().isLessThan(60 * 100);
        assertThat(ask(new Query("", "", "s, p", 0, 5)).rows()).isZero();
        assertThat(ask(new Query("", "", "q, s DESC", 5, 5)).length()).isLessThan(ROW_COUNT / 50 * 100);
    }

    /** Of equal values the first row is the first one, whichever block an agent comes to first. */
    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    void shouldHaveTheFirstRowsWhenAllAreEqual(final int workerCount) {
        for (int i = 0; i < 7_000; i++) {
            store.put(i, "{\"q\":1,\"n\":" + i + "}");
        }
        final QuerySource source = store.open();
        for (final String order : List.of("q", "q DESC")) {
            final Query first = new Query("", "", order, 3, 10);
            assertThat(CollectedAnswers.askLastFirst(source, first, workerCount).found())
                    .as("%s with %d workers", order, workerCount)
                    .isEqualTo(CollectedAnswers.expected(source, first).found());
        }
        store.close(source);
    }

    @Test
    void shouldReadChangedRowsOnceWhenGroupsAreAskedForAgain() {
        fill();
        ask(MEANS);
        for (int i = 0; i < 40; i++) {
            put(i * 700, i);
        }
        store.delete(5);
        final QuerySource source = store.open();
        final QueryRun run = CollectedAnswers.run(MEANS, source, 1);
        while (!run.isDone()) {
            run.worker(0).work();
            drain(run);
        }
        assertThat(run.rowsRead()).isEqualTo(40);
        drain(run);
        run.free();
        store.close(source);
        ask(MEANS);
    }

    @Test
    void shouldReadRowsWhoseTextsHaveNoRoom() {
        fill();
        final Cost cost = ask(Query.groups("", "COUNT(u), COUNT(*)", ""));
        assertThat(cost.rows()).isZero();
        assertThat(cost.length()).isBetween((ROW_COUNT - 32_768) * 40L, (ROW_COUNT - 32_768) * 100L);
    }

    @Test
    void shouldFilterByColumnsWhenThereIsNoMemoryForOthers() {
        store.close();
        store = new ColumnStore(20 * 25_000);
        fill();
        final String filter = FilterCompiler.canonicalText("q = 3", FilterLimits.COMBINED);
        ask(new Query(filter, "", "id", 0, -1));
        final Cost cost = ask(Query.groups(filter, "s, t, AVG(p), MAX(u)", "s, t"));
        assertThat(cost.rows()).isZero();
        assertThat(cost.length()).isPositive().isLessThan(ROW_COUNT / 50 * 100);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"s, t, COUNT(*), AVG(p), MAX(q), COUNT(t) | s, t", "AVG(p), SUM(q) | ''", "'' | p DESC"})
    void shouldAllocateNothingForABlock(final String select, final String by) {
        fill();
        final Query query = select.isEmpty() ? DEAREST : Query.groups("", select, by);
        final QuerySource source = store.open();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < WARM_UP_COUNT; i++) {
            least = Math.min(least, allocated(query, source));
        }
        assertThat(least).isLessThan(BYTES_MAX);
        store.close(source);
    }

    /** Bytes that a query allocates between its first blocks and its last one. */
    private static long allocated(final Query query, final QuerySource source) {
        final QueryRun run = CollectedAnswers.run(query, source, 1);
        final QueryWorker worker = run.worker(0);
        while (worker.tally.rowsScanned() < STEPS_BEFORE * 2048) {
            worker.work();
        }
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        while (worker.tally.rowsScanned() < ROW_COUNT - 2048) {
            worker.work();
        }
        final long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        while (!run.isDone()) {
            worker.work();
            drain(run);
        }
        drain(run);
        run.free();
        return bytes;
    }
}
