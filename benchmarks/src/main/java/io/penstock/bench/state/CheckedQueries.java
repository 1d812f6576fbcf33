package io.penstock.bench.state;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.penstock.bench.figure.SourcedFigure;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.SowResult;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queries rows that are being updated, and compares each answer with what the rows are at the sequence that it states.
 * Owned by the main thread.
 */
final class CheckedQueries {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int TOP_N = 100;

    private final PenstockClient client;
    private final String topic;
    private final RowUpdates updates;
    private final long firstSequence;
    private final Map<String, List<Double>> durationsMs = new LinkedHashMap<>();
    private long updatesAtLast;
    private long checked;

    /** @param firstSequence at which the rows were all there and no update had come. */
    CheckedQueries(
            final PenstockClient client, final String topic, final RowUpdates updates, final long firstSequence) {
        this.client = client;
        this.topic = topic;
        this.updates = updates;
        this.firstSequence = firstSequence;
    }

    /** Asks each query once. */
    void round() {
        checkTotals();
        checkCount();
        checkRecords();
        checkTop();
        checkLanes();
    }

    /** How many updates the newest answer has seen. */
    long updatesAtLast() {
        return updatesAtLast;
    }

    long checked() {
        return checked;
    }

    Json json() {
        final Json json = new Json();
        durationsMs.forEach((name, each) -> json.field(
                name, SourcedFigure.median(each.stream().mapToDouble(ms -> ms).toArray())));
        return json;
    }

    private void checkTotals() {
        final SowResult answer = ask(
                "totals_ms",
                SowRequest.topic(topic).select("COUNT(*) AS n, SUM(v) AS total, MIN(v) AS least, MAX(v) AS most"));
        final Map<String, Long> row = numbers(answer.messages().get(0));
        final long seen = updatesAtLast;
        check("COUNT(*)", row.get("n"), updates.rowCount());
        check("SUM(v)", row.get("total"), updates.sum(seen));
        check("MIN(v)", row.get("least"), updates.min(seen));
        check("MAX(v)", row.get("most"), seen);
    }

    private void checkCount() {
        final long above = updatesAtLast / 2;
        final SowResult answer = ask(
                "filtered_count_ms",
                SowRequest.topic(topic).filter("v > " + above).select("COUNT(*) AS n"));
        check(
                "COUNT(*) of v > " + above,
                numbers(answer.messages().get(0)).get("n"),
                updates.countAbove(updatesAtLast, above));
    }

    private void checkRecords() {
        final long above = updatesAtLast;
        final int lane = (int) (checked % RowUpdates.LANE_COUNT);
        final String filter = "v > " + above + " AND lane = " + lane;
        final SowResult answer = ask("records_ms", SowRequest.topic(topic).filter(filter));
        final Set<Long> values = new HashSet<>();
        for (final Message message : answer.messages()) {
            final long value = checkRow(filter, message);
            if (value <= above || value % RowUpdates.LANE_COUNT != lane || !values.add(value)) {
                throw wrong(filter, value, above);
            }
        }
        long expected = 0;
        for (long value = Math.max(above, updatesAtLast - updates.rowCount()) + 1; value <= updatesAtLast; value++) {
            expected += value % RowUpdates.LANE_COUNT == lane ? 1 : 0;
        }
        check("count of " + filter, (long) values.size(), expected);
    }

    private void checkTop() {
        final String order = "v DESC";
        final SowResult answer =
                ask("order_by_top_n_ms", SowRequest.topic(topic).orderBy(order).top(TOP_N));
        check("count of " + order, (long) answer.messages().size(), Math.min(TOP_N, updates.rowCount()));
        long expected = updatesAtLast;
        for (final Message message : answer.messages()) {
            if (expected > updates.min(updatesAtLast) || expected > 0) {
                check(order, checkRow(order, message), expected--);
            }
        }
    }

    private void checkLanes() {
        final SowResult answer = ask(
                "group_by_ms",
                SowRequest.topic(topic)
                        .select("lane, COUNT(*) AS n, SUM(v) AS total")
                        .groupBy("lane"));
        final Map<Long, Map<String, Long>> lanes = new HashMap<>();
        for (final Message message : answer.messages()) {
            final Map<String, Long> row = numbers(message);
            lanes.put(row.get("lane"), row);
        }
        long groups = 0;
        for (int lane = 0; lane <= RowUpdates.LANE_COUNT; lane++) {
            final long count = lane < RowUpdates.LANE_COUNT
                    ? updates.countOf(updatesAtLast, lane)
                    : Math.max(0, updates.rowCount() - updatesAtLast);
            final Map<String, Long> row = lanes.getOrDefault((long) lane, Map.of("n", 0L, "total", 0L));
            check("COUNT(*) of lane " + lane, row.get("n"), count);
            check(
                    "SUM(v) of lane " + lane,
                    row.get("total"),
                    lane < RowUpdates.LANE_COUNT ? updates.sumOf(updatesAtLast, lane) : 0);
            groups += count > 0 ? 1 : 0;
        }
        check("groups", (long) lanes.size(), groups);
    }

    /** Checks that a record's value belongs to its row, and returns it. */
    private long checkRow(final String query, final Message message) {
        final Map<String, Long> record = numbers(message);
        final Long value = record.get("v");
        final Long id = record.get("id");
        if (value == null || id == null || value < 1 || value > updatesAtLast) {
            throw CommandFailure.failed("bench: " + query + ": no such record: " + message.text());
        }
        check("id of v = " + value + " in " + query, id, OrderDocuments.FIRST_ID + updates.row(value));
        return value;
    }

    private SowResult ask(final String name, final SowRequest request) {
        final long startNs = System.nanoTime();
        final SowResult answer = client.sow(request);
        durationsMs.computeIfAbsent(name, unused -> new ArrayList<>()).add((System.nanoTime() - startNs) / 1e6);
        final long sequence =
                answer.stats().sequenceByShard().values().iterator().next();
        if (sequence - firstSequence < updatesAtLast) {
            throw wrong("sequence", sequence - firstSequence, updatesAtLast);
        }
        updatesAtLast = sequence - firstSequence;
        return answer;
    }

    private void check(final String what, final @Nullable Long found, final long expected) {
        if (found == null || found != expected) {
            throw wrong(what, found == null ? Long.MIN_VALUE : found, expected);
        }
        checked++;
    }

    private CommandFailure wrong(final String what, final long found, final long expected) {
        return CommandFailure.failed("bench: an answer is wrong: " + what + " after " + updatesAtLast + " updates of "
                + updates.rowCount() + " rows: " + found + ", not " + expected);
    }

    private static Map<String, Long> numbers(final Message message) {
        final Map<String, Long> numbers = new HashMap<>();
        try (JsonParser parser = FACTORY.createParser(message.bytes())) {
            parser.nextToken();
            while (parser.nextFieldName() != null) {
                final String name = parser.currentName();
                if (parser.nextToken().isNumeric()) {
                    numbers.put(name, parser.getValueAsLong());
                }
            }
        } catch (final IOException e) {
            throw CommandFailure.failed("bench: not JSON: " + message.text());
        }
        return numbers;
    }
}
