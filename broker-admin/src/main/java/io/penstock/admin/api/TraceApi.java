package io.penstock.admin.api;

import io.penstock.admin.http.EventStream;
import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.Problem;
import io.penstock.admin.http.ProblemException;
import io.penstock.broker.Broker;
import io.penstock.broker.monitor.ClientTrace;
import io.penstock.broker.monitor.TracedCommand;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/**
 * Streams of what clients send: a client is traced as long as somebody reads that. Events are sent once a second; what a
 * client sends beyond what waits meanwhile is counted. Confined to the server's thread.
 */
final class TraceApi {
    /** Clients that are traced at a time. */
    static final int COUNT_MAX = 8;

    private static final Pattern ID = Pattern.compile("\\d{1,18}");

    private final Broker broker;
    private final Callers callers;
    private final Answers answers;
    private final Streams streams;
    private final Workers workers;
    private final EpochClock clock;
    private final Set<Reader> readers = new LinkedHashSet<>();

    /** Clients that are traced, or are about to be: an agent is asked first, and any thread learns its answer. */
    private final AtomicInteger count = new AtomicInteger();

    /** One who reads what a client sends. */
    private record Reader(EventStream stream, Caller caller, ClientTrace trace) {}

    TraceApi(
            final Broker broker,
            final Callers callers,
            final Answers answers,
            final Streams streams,
            final Workers workers,
            final EpochClock clock) {
        this.broker = broker;
        this.callers = callers;
        this.answers = answers;
        this.streams = streams;
        this.workers = workers;
        this.clock = clock;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/clients/{id}/trace", Access.WRITE, this::trace);
    }

    private void trace(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final String id = arguments.get(0);
        if (!ID.matcher(id).matches()) {
            throw unknown(id);
        }
        // Who was known by a password has been on a worker.
        exchange.thread().execute(() -> workers.guarded(exchange, () -> begin(exchange, caller, Long.parseLong(id))));
    }

    private static ProblemException unknown(final String id) {
        return new ProblemException(
                404, "NOT_FOUND", "client: no such one: " + id + " (it may be gone already; ask for the list)");
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes are looked at.
    private void begin(final Exchange exchange, final Caller caller, final long id) {
        if (count.incrementAndGet() > COUNT_MAX) {
            count.decrementAndGet();
            throw new ProblemException(
                    503, "TOO_MANY_TRACES", "server: traces " + COUNT_MAX + " clients already (close a stream of one)");
        }
        final ClientTrace trace = new ClientTrace();
        final CompletableFuture<Boolean> asked;
        try {
            asked = broker.monitor().trace(id, trace, caller.administrator());
        } catch (final RuntimeException e) {
            giveBack(trace);
            throw e;
        }
        // An agent that answers too late traces for nobody.
        asked.whenComplete((isTraced, error) -> {
            if (error != null) {
                giveBack(trace);
            }
        });
        answers.when(exchange, asked, isTraced -> {
            boolean isBegun = false;
            try {
                if (!isTraced) {
                    throw unknown(Long.toString(id));
                }
                add(new Reader(streams.open(exchange, caller), caller, trace));
                isBegun = true;
            } finally {
                if (!isBegun) {
                    giveBack(trace);
                }
            }
        });
    }

    private void giveBack(final ClientTrace trace) {
        trace.close();
        count.decrementAndGet();
    }

    private void add(final Reader reader) {
        readers.add(reader);
        streams.keep(reader.stream);
        reader.stream.onClosed(() -> forget(reader));
    }

    private void forget(final Reader reader) {
        if (readers.remove(reader)) {
            giveBack(reader.trace);
        }
    }

    /** A reader that is slow to take the last event is not sent another. */
    private void end(final Reader reader, final byte[] last) {
        forget(reader);
        reader.stream.end(last);
    }

    /** Sends what has come, to those who may still have it. */
    void tick() {
        final long nowMs = clock.time();
        for (final Reader reader : List.copyOf(readers)) {
            if (reader.caller.isOver(nowMs)) {
                end(reader, new byte[0]);
            } else if (!callers.mayTrace(reader.caller)) {
                final ProblemException refused = Callers.refused(reader.caller, Access.WRITE.word());
                end(reader, EventStream.event("end", "", refused.problem().bytes()));
            } else if (reader.stream.isReady()) {
                send(reader, nowMs);
            }
        }
    }

    private void send(final Reader reader, final long nowMs) {
        final boolean isEnded = reader.trace.isEnded();
        final long nowNs = broker.config().nanoClock().nanoTime();
        for (int i = 0; i < ClientTrace.LENGTH; i++) {
            final TracedCommand command = reader.trace.poll();
            if (command == null) {
                break;
            }
            final long atMs = nowMs - TimeUnit.NANOSECONDS.toMillis(nowNs - command.timeNs());
            reader.stream.send(
                    EventStream.event("command", "", json(command, atMs).bytes()));
        }
        final long lost = reader.trace.takeLost();
        if (lost > 0) {
            reader.stream.send(EventStream.event(
                    "lost", "", new Json().begin().field("count", lost).end().bytes()));
        }
        if (isEnded) {
            end(
                    reader,
                    EventStream.event("end", "", new Problem(200, "CLIENT_GONE", "client: has disconnected").bytes()));
        }
    }

    private static Json json(final TracedCommand command, final long atMs) {
        final Json json = new Json()
                .begin()
                .field("timeMs", atMs)
                .field("command", command.name())
                .field("bytes", command.length())
                .field("fields", command.fields());
        if (command.bodyLength() > 0) {
            final byte[] body = command.body();
            final int whole = command.bodyLength() > body.length ? Records.wholeCharacters(body) : body.length;
            final String text = text(body, whole);
            json.field("bodyBytes", command.bodyLength())
                    .field("body", text == null ? Base64.getEncoder().encodeToString(body) : text)
                    .field("encoding", text == null ? "base64" : "text")
                    .field("truncated", command.bodyLength() > body.length);
        }
        return json.end();
    }

    private static @Nullable String text(final byte[] bytes, final int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (final CharacterCodingException e) {
            return null;
        }
    }
}
