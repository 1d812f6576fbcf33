package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.Broker;
import io.penstock.broker.monitor.ColumnInfo;
import io.penstock.broker.monitor.Monitor;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldPathParser;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lists the columns of topics, and drops some. Work is done by workers. */
final class ColumnsApi {
    private final Monitor monitor;
    private final Workers workers;
    private final Callers callers;

    ColumnsApi(final Broker broker, final Workers workers, final Callers callers) {
        monitor = broker.monitor();
        this.workers = workers;
        this.callers = callers;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/columns", Access.READ, this::list)
                .add("DELETE", "/api/v1/columns/{topic}", Access.WRITE, this::drop);
    }

    private void list(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Request request = exchange.request();
        final int limit = Pages.limit(request);
        final int from = from(request.parameter("cursor"));
        final String topic = request.parameter("topic");
        workers.run(exchange, () -> {
            final List<ColumnInfo> all = monitor.columns(topic);
            final Json json = Pages.begin();
            all.stream().skip(from).limit(limit).forEach(each -> write(json, caller, each));
            exchange.json(200, Pages.end(json, all.size() - from > limit ? Integer.toString(from + limit) : ""));
        });
    }

    private static int from(final String cursor) {
        try {
            final int from = cursor.isEmpty() ? 0 : Integer.parseInt(cursor);
            if (from >= 0) {
                return from;
            }
        } catch (final NumberFormatException e) {
            // Said below.
        }
        throw new ProblemException(
                400, "BAD_CURSOR", "cursor: not one of this list: " + cursor + " (use the next of a page)");
    }

    /** How much there is in a column is only for those who may see all records of its topic, and all their fields. */
    private void write(final Json json, final Caller caller, final ColumnInfo column) {
        final String topic = column.topic().name();
        json.begin()
                .field("topic", topic)
                .field("shard", column.topic().shard())
                .field("field", column.field())
                .field("named", column.isNamed())
                .field("going", column.isGoing());
        if (callers.maySeeAll(caller, topic) && callers.maySeeAllFields(caller, topic)) {
            json.field("bytes", column.length()).field("rows", column.rows()).field("texts", column.texts());
        }
        json.field("scans", column.scans());
        if (column.idleNs() >= 0) {
            json.field("idleMs", TimeUnit.NANOSECONDS.toMillis(column.idleNs()));
        }
        json.end();
    }

    private void drop(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final String topic = arguments.get(0);
        final String field = exchange.request().parameter("field");
        final FieldPath path = field.isEmpty() ? null : path(field);
        workers.run(exchange, () -> {
            if (monitor.dropColumns(topic, path, caller.administrator()) == 0) {
                throw none(topic, path);
            }
            exchange.done();
        });
    }

    private static ProblemException none(final String topic, final @Nullable FieldPath path) {
        return new ProblemException(
                404,
                "NOT_FOUND",
                "column: no such one: " + topic + (path == null ? "" : " " + path)
                        + " (it may be gone already; ask for the list)");
    }

    private static FieldPath path(final String text) {
        try {
            final FieldPathParser parser = new FieldPathParser("field", text);
            final FieldPath path = parser.path();
            if (!parser.isAtEnd()) {
                throw parser.expected("the end");
            }
            return path;
        } catch (final IllegalArgumentException e) {
            throw new ProblemException(400, "BAD_PARAMETER", e.getMessage() + " (name a field as the list does)");
        }
    }
}
