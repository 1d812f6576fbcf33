package io.penstock.admin.api;

import io.penstock.admin.http.EventStream;
import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.JsonFields;
import io.penstock.admin.http.Problem;
import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.QueryStream;
import io.penstock.client.SowRequest;
import io.penstock.client.SowStats;
import io.penstock.protocol.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** Queries the state of topics, each by a client of its own, and sends the records as they come. */
final class QueryApi {
    private static final Set<String> FIELDS = Set.of(
            "topic",
            "join",
            "filter",
            "select",
            "orderBy",
            "groupBy",
            "having",
            "limit",
            "skip",
            "timeoutMs",
            "asOf",
            "explain");
    private static final int LIMIT_DEFAULT = 100;
    private static final int LIMIT_MAX = 10_000;
    private static final int TIMEOUT_MS_MAX = 60_000;
    private static final int TIMEOUT_MS_DEFAULT = 10_000;
    private static final int PART_LENGTH = 32 * 1024;

    /** Parts that are on their way to the reader at a time. */
    private static final int PART_COUNT_MAX = 4;

    private static final long READER_TIMEOUT_S = 30;

    private final Workers workers;
    private final BrokerClients clients;
    private final NanoClock clock;
    private final Shares places;

    QueryApi(final Workers workers, final BrokerClients clients, final NanoClock clock, final Shares places) {
        this.workers = workers;
        this.clients = clients;
        this.clock = clock;
        this.places = places;
    }

    void addTo(final Routes routes) {
        routes.add("POST", "/api/v1/query", Access.CONNECT, this::query);
    }

    private void query(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final JsonFields fields = JsonFields.read(exchange.request().body(), FIELDS, ErrorCode.BAD_QUERY.name());
        final SowRequest request = request(fields);
        final Runnable place = places.take(caller);
        boolean isTaken = false;
        try {
            workers.run(exchange, () -> {
                try {
                    run(exchange, caller, request);
                } finally {
                    place.run();
                }
            });
            isTaken = true;
        } finally {
            if (!isTaken) {
                place.run();
            }
        }
    }

    private static SowRequest request(final JsonFields fields) {
        SowRequest request = SowRequest.topic(fields.required("topic"))
                .top((int) fields.number("limit", LIMIT_DEFAULT, 1, LIMIT_MAX))
                .timeout(Duration.ofMillis(fields.number("timeoutMs", TIMEOUT_MS_DEFAULT, 1, TIMEOUT_MS_MAX)));
        if (!fields.text("join").isEmpty()) {
            request = request.join(fields.text("join"));
        }
        if (!fields.text("filter").isEmpty()) {
            request = request.filter(fields.text("filter"));
        }
        if (!fields.text("select").isEmpty()) {
            request = request.select(fields.text("select"));
        }
        if (!fields.text("orderBy").isEmpty()) {
            request = request.orderBy(fields.text("orderBy"));
        }
        if (!fields.text("groupBy").isEmpty()) {
            request = request.groupBy(fields.text("groupBy"));
        }
        if (!fields.text("having").isEmpty()) {
            request = request.having(fields.text("having"));
        }
        final long skip = fields.number("skip", 0, 0, Integer.MAX_VALUE);
        if (skip > 0) {
            request = request.skip((int) skip);
        }
        if (fields.flag("explain")) {
            request = request.explain();
        }
        return asOf(request, fields.text("asOf"));
    }

    private static SowRequest asOf(final SowRequest request, final String text) {
        if (text.isEmpty()) {
            return request;
        }
        final LogPlace place = Places.parse("asOf", text);
        return place.kind() == LogPlace.Kind.TIME
                ? request.asOf(Instant.parse(text))
                : request.asOf(Bookmark.parse(text));
    }

    private void run(final Exchange exchange, final Caller caller, final SowRequest request) {
        final long startNs = clock.nanoTime();
        try (PenstockClient client = clients.connect(caller);
                QueryStream records = client.sowStream(request)) {
            // The broker gives up the query of a client that has gone.
            final Runnable stays = exchange.onGone(() -> workers.later(client::close));
            try {
                // An error before the first record is the answer's status.
                Message message = records.poll(Duration.ofMillis(TIMEOUT_MS_MAX));
                final Answer answer = new Answer(exchange.stream("application/x-ndjson"));
                try {
                    while (message != null && answer.isOpen()) {
                        answer.add(line(message));
                        message = records.poll(Duration.ofMillis(TIMEOUT_MS_MAX));
                    }
                    answer.end(
                            records.isComplete() && answer.isWhole()
                                    ? done(records.stats(), startNs)
                                    : line(incomplete()));
                } catch (final PenstockException e) {
                    answer.end(line(Workers.problem(e)));
                }
            } finally {
                stays.run();
            }
        }
    }

    private static Problem incomplete() {
        return new Problem(503, "TIMED_OUT", "query: did not end in time (ask for less)");
    }

    private static Json line(final Message message) {
        final Json json = new Json().begin().begin("record");
        Records.write(json, message);
        return json.end().end();
    }

    private Json done(final @Nullable SowStats stats, final long startNs) {
        final Json json = new Json().begin().begin("done");
        if (stats != null) {
            json.field("topicMatches", stats.topicMatches())
                    .field("matches", stats.matches())
                    .field("returned", stats.returned());
            if (!stats.explanation().isEmpty()) {
                json.field("explanation", stats.explanation());
            }
        }
        return json.field("elapsedMs", (clock.nanoTime() - startNs) / 1e6).end().end();
    }

    private static Json line(final Problem problem) {
        return new Json()
                .begin()
                .begin("error")
                .field("status", problem.status())
                .field("code", problem.code())
                .field("detail", problem.detail())
                .end()
                .end();
    }

    /** Sends lines, a few parts ahead of what the reader has taken. Used by one worker. */
    private static final class Answer {
        private final EventStream stream;
        private final Semaphore room = new Semaphore(PART_COUNT_MAX);
        private final ByteArrayOutputStream part = new ByteArrayOutputStream();
        private boolean isGivenUp;

        Answer(final EventStream stream) {
            this.stream = stream;
            stream.onClosed(room::release);
        }

        boolean isOpen() {
            return !isGivenUp && stream.isOpen();
        }

        void add(final Json line) {
            part.writeBytes(line.bytes());
            part.write('\n');
            if (part.size() >= PART_LENGTH) {
                send();
            }
        }

        /** Whether no part was dropped, as the reader took none for too long. */
        boolean isWhole() {
            return !isGivenUp;
        }

        private void send() {
            try {
                if (room.tryAcquire(READER_TIMEOUT_S, TimeUnit.SECONDS) && stream.isOpen()) {
                    stream.send(part.toByteArray(), room::release);
                } else {
                    isGivenUp = true;
                }
            } catch (final InterruptedException e) {
                isGivenUp = true;
                Thread.currentThread().interrupt();
            }
            part.reset();
        }

        void end(final Json line) {
            add(line);
            stream.end(part.toByteArray());
        }
    }
}
