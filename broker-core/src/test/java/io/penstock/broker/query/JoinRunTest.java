package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.collect.QueryMemory;
import io.penstock.broker.query.join.QueryJoin;
import io.penstock.broker.security.IdentityUse;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Joins by several workers that take turns. */
class JoinRunTest {
    private static final int LEFT_COUNT = 5_000;
    private static final int RIGHT_COUNT = 400;
    private static final String SELECT = "/l/id AS l, /r/id AS r";

    private final ColumnStore left = new ColumnStore(0);
    private final ColumnStore right = new ColumnStore(0);
    private final AtomicLong nowNs = new AtomicLong();

    /** The number by which each record is paired, by its id; negative for none. */
    private final int[] leftValues = new int[LEFT_COUNT];

    private final int[] rightValues = new int[RIGHT_COUNT];
    private QuerySource leftSource;
    private QuerySource rightSource;

    @BeforeEach
    void fill() {
        final Random random = new Random(7);
        for (int id = 0; id < LEFT_COUNT; id++) {
            leftValues[id] = random.nextInt(200) - 20;
            put(left, id, leftValues[id]);
        }
        for (int id = 0; id < RIGHT_COUNT; id++) {
            rightValues[id] = random.nextInt(200) - 20;
            put(right, id, rightValues[id]);
        }
        for (int i = 0; i < 300; i++) {
            final int id = random.nextInt(LEFT_COUNT);
            left.delete(id);
            leftValues[id] = -100;
        }
        leftSource = left.open();
        rightSource = right.open();
        // Of later than the snapshots, and not to be seen.
        for (int id = 0; id < RIGHT_COUNT; id += 3) {
            put(right, id, 5);
            left.delete(id);
        }
    }

    private static void put(final ColumnStore store, final int id, final int value) {
        store.put(id, "{\"id\":" + id + ",\"odd\":" + id % 2 + (value < 0 ? "" : ",\"v\":" + value) + "}");
    }

    @AfterEach
    void close() {
        left.close(leftSource);
        right.close(rightSource);
        left.close();
        right.close();
    }

    private QueryRun run(
            final boolean isOuter, final String filter, final String select, final String groupBy, final String order) {
        return run(plan(isOuter, filter, select, groupBy, order, QueryPlan.Excerpt.ALL));
    }

    private static QueryPlan plan(
            final boolean isOuter,
            final String filter,
            final String select,
            final String groupBy,
            final String order,
            final QueryPlan.Excerpt excerpt) {
        return new QueryPlan(
                        filter,
                        order.isEmpty() ? null : OrderBy.parse(order),
                        excerpt,
                        null,
                        SelectList.parse(select, groupBy, FilterLimits.DEFAULTS),
                        "",
                        1_000_000,
                        QueryPlan.Found.RECORDS)
                .joined(join(isOuter));
    }

    private QueryRun run(final QueryPlan plan) {
        return new QueryRun(plan, List.of(leftSource, rightSource), 3, nowNs::get, () -> {}, IdentityUse.ofNobody());
    }

    private static QueryJoin join(final boolean isOuter) {
        final String text = "AS l " + (isOuter ? "LEFT" : "INNER") + " JOIN t AS r ON /l/v = /r/v";
        return QueryJoin.parse(text, "t", FilterLimits.DEFAULTS);
    }

    private static List<String> rows(final QueryRun run) {
        final List<String> rows = new ArrayList<>();
        while (!run.isDone()) {
            for (int i = 0; i < run.workerCount(); i++) {
                run.worker(i).work();
                take(run, i, rows);
            }
        }
        for (int i = 0; i < run.workerCount(); i++) {
            take(run, i, rows);
        }
        run.free();
        return rows;
    }

    private static void take(final QueryRun run, final int worker, final List<String> rows) {
        for (ResultPage page = run.poll(worker); page != null; page = run.poll(worker)) {
            final DirectBuffer buffer = page.buffer();
            for (int at = 0; at < page.length(); ) {
                final int length = RecordDescriptor.length(RecordDescriptor.head(buffer, at));
                rows.add(buffer.getStringWithoutLengthUtf8(
                        at + RecordDescriptor.HEADER_LENGTH, length - RecordDescriptor.HEADER_LENGTH));
                at += RecordDescriptor.alignedLength(length);
            }
            run.recycle(worker, page);
        }
    }

    /** By two loops, in the order of left ids and then right ones. */
    private List<String> expected(final boolean isOuter, final boolean isOddLeft, final boolean isOddRight) {
        final List<String> rows = new ArrayList<>();
        for (int l = isOddLeft ? 1 : 0; l < LEFT_COUNT; l += isOddLeft ? 2 : 1) {
            boolean isPaired = leftValues[l] == -100;
            for (int r = isOddRight ? 1 : 0; r < RIGHT_COUNT; r += isOddRight ? 2 : 1) {
                if (leftValues[l] >= 0 && leftValues[l] == rightValues[r]) {
                    rows.add("{\"l\":" + l + ",\"r\":" + r + "}");
                    isPaired = true;
                }
            }
            if (isOuter && !isPaired) {
                rows.add("{\"l\":" + l + ",\"r\":null}");
            }
        }
        return rows;
    }

    @Test
    void shouldFindThePairsOfTheSnapshotsWhenSeveralWorkersLook() {
        final QueryRun run = run(false, "", SELECT, "", "");
        assertThat(run.workerCount()).isEqualTo(3);
        assertThat(rows(run)).containsExactlyInAnyOrderElementsOf(expected(false, false, false));
        assertThat(run.failure()).isNull();
        assertThat(run.topicMatches())
                .isEqualTo(expected(true, false, false).stream()
                        .map(row -> row.substring(0, row.indexOf(',')))
                        .distinct()
                        .count());
        assertThat(run.matches()).isEqualTo(expected(false, false, false).size());
        assertThat(run.scanned()).isEqualTo(run.rowCount());
        assertThat(rows(run(true, "", SELECT, "", "")))
                .containsExactlyInAnyOrderElementsOf(expected(true, false, false));
    }

    @Test
    void shouldPutThePairsOfAllWorkersInOrder() {
        assertThat(rows(run(true, "", SELECT, "", "/l/id, /r/id"))).isEqualTo(expected(true, false, false));
    }

    @Test
    void shouldGroupThePairsOfAllWorkers() {
        final long pairCount = expected(false, false, false).size();
        final long rowCount = expected(true, false, false).size();
        assertThat(rows(run(true, "", "COUNT(*) AS n, COUNT(/r/id) AS p", "", "")))
                .containsExactly("{\"n\":" + rowCount + ",\"p\":" + pairCount + "}");
        final List<String> groups = rows(run(false, "", "/r/odd AS odd, COUNT(*) AS n", "/r/odd", "odd"));
        final long oddCount = expected(false, false, true).size();
        assertThat(groups)
                .containsExactly(
                        "{\"odd\":0,\"n\":" + (pairCount - oddCount) + "}", "{\"odd\":1,\"n\":" + oddCount + "}");
    }

    @Test
    void shouldPairOnlyRecordsThatTheClientMaySee() {
        leftSource = leftSource.limitedTo("odd = 1");
        rightSource = rightSource.limitedTo("odd = 1");
        assertThat(rows(run(true, "", SELECT, "", "/l/id, /r/id"))).isEqualTo(expected(true, true, true));
        assertThat(rows(run(false, "/l/odd = 0 OR /r/odd = 0", SELECT, "", ""))).isEmpty();
    }

    @Test
    void shouldLookAtNoMorePairsThanAreWanted() {
        final QueryRun run = run(plan(false, "", SELECT, "", "", new QueryPlan.Excerpt(2, 3, 0)));
        assertThat(rows(run)).isEqualTo(expected(false, false, false).subList(2, 5));
        assertThat(run.matches()).isEqualTo(5);
        assertThat(run.topicMatches()).isLessThan(20);
    }

    @Test
    void shouldLookAtFewPairsOfLongMessagesInOneGo() {
        final String text = "x".repeat(40_000);
        right.close(rightSource);
        for (int id = 0; id < 100; id++) {
            right.put(id, "{\"id\":" + id + ",\"v\":7,\"text\":\"" + text + "\"}");
        }
        rightSource = right.open();
        final QueryRun run = run(false, "/r/text = 'y'", SELECT, "", "");
        long before = 0;
        while (!run.worker(0).isDone()) {
            for (int i = 0; i < 3; i++) {
                run.worker(i).work();
            }
            final long read = run.worker(0).tally.lengthRead;
            assertThat(read - before).isLessThan(400_000);
            before = read;
        }
        assertThat(before).isGreaterThan(2_000_000);
        assertThat(rows(run)).isEmpty();
    }

    @Test
    void shouldForgetTheRightRecordsBeforeItsPagesAreTaken() {
        final long before = QueryMemory.OF_HEAP.taken();
        final QueryRun run = run(false, "", "COUNT(*) AS n", "", "");
        while (!run.isDone()) {
            for (int i = 0; i < run.workerCount(); i++) {
                run.worker(i).work();
            }
        }
        assertThat(QueryMemory.OF_HEAP.taken()).isGreaterThan(before);
        run.release();
        assertThat(QueryMemory.OF_HEAP.taken()).isEqualTo(before);
        assertThat(Objects.requireNonNull(run.joined()).count()).isPositive();
        assertThat(rows(run)).hasSize(1);
        assertThat(QueryMemory.OF_HEAP.taken()).isEqualTo(before);
    }

    @Test
    void shouldStopWhenItsTimeIsUpOrNobodyWantsItMore() {
        for (int stepCount = 0; stepCount < 12; stepCount++) {
            final QueryRun late = run(false, "", SELECT, "", "/l/id");
            final QueryRun unwanted = run(false, "", SELECT, "", "/l/id");
            for (int i = 0; i < stepCount; i++) {
                late.worker(i % 3).work();
                unwanted.worker(i % 3).work();
            }
            nowNs.addAndGet(2_000_000);
            late.isOverdue();
            unwanted.cancel();
            rows(late);
            rows(unwanted);
            assertThat(late.failure()).isEqualTo(QueryFailure.TIMED_OUT);
        }
    }

    @Test
    void shouldRefuseMoreRightRecordsThanThereMayBe() {
        final QueryPlan plan = run(false, "", SELECT, "", "").plan();
        final JoinedSource joined = new JoinedSource(join(false), rightSource, plan, 100);
        final JoinedSource.Reading reading = joined.newReading(0);
        final QueryTally tally = new QueryTally();
        assertThat(reading.read(50, Long.MAX_VALUE, tally)).isTrue();
        assertThat(reading.read(RIGHT_COUNT, Long.MAX_VALUE, tally)).isFalse();
        assertThat(joined.isReady()).isFalse();
        assertThat(tally.rowsRead).isBetween(100L, 200L);
    }
}
