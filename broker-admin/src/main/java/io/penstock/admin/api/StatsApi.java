package io.penstock.admin.api;

import io.penstock.admin.http.EventStream;
import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.broker.Broker;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.EpochClock;

/**
 * Streams of live figures. One look at the broker a second serves all readers, and nobody looks when nobody reads. A reader
 * that is slow loses events, which the next one that it gets says. Confined to the server's thread.
 */
final class StatsApi {
    private final LiveFigures figures;
    private final AnswerTimes answerTimes;
    private final Callers callers;
    private final Streams streams;
    private final Workers workers;
    private final EpochClock clock;
    private final Set<Reader> readers = new LinkedHashSet<>();

    StatsApi(
            final Broker broker,
            final Callers callers,
            final Streams streams,
            final Workers workers,
            final EpochClock clock) {
        this.callers = callers;
        this.workers = workers;
        figures = new LiveFigures(broker);
        answerTimes = new AnswerTimes(broker.monitor(), broker.config().nanoClock(), workers::later);
        this.streams = streams;
        this.clock = clock;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/stream/stats", Access.STAT, this::stats);
    }

    private void stats(final Exchange exchange, final Caller caller, final List<String> arguments) {
        exchange.thread().execute(() -> workers.guarded(exchange, () -> add(streams.open(exchange, caller), caller)));
    }

    private void add(final EventStream stream, final Caller caller) {
        if (readers.isEmpty()) {
            figures.look(clock.time(), streams.count());
        }
        final Reader reader = new Reader(stream, caller);
        readers.add(reader);
        stream.onClosed(() -> forget(reader));
    }

    private void forget(final Reader reader) {
        readers.remove(reader);
        if (readers.isEmpty()) {
            figures.forget();
        }
    }

    /** Sends an event to all. */
    void tick() {
        if (readers.isEmpty()) {
            return;
        }
        final Json look = figures.look(clock.time(), streams.count());
        answerTimes.ask();
        if (look.bytes().length == 0) {
            return;
        }
        answerTimes.write(look, "latency");
        final byte[] begun = look.bytes();
        // A connection that fails while it is written to leaves at once.
        final long nowMs = clock.time();
        for (final Reader reader : List.copyOf(readers)) {
            if (!reader.caller.isOver(nowMs) && callers.mayReadCounters(reader.caller)) {
                reader.send(begun);
            } else {
                // A reader that is slow to take the last part is not ended again.
                forget(reader);
                reader.stream.end(new byte[0]);
            }
        }
    }

    /** One who reads. */
    private static final class Reader {
        private final EventStream stream;
        private final Caller caller;
        private long dropped;

        Reader(final EventStream stream, final Caller caller) {
            this.stream = stream;
            this.caller = caller;
        }

        void send(final byte[] begun) {
            if (!stream.isReady()) {
                dropped++;
                return;
            }
            final byte[] rest = (",\"dropped\":" + dropped + "}").getBytes(StandardCharsets.UTF_8);
            final byte[] data = new byte[begun.length + rest.length];
            System.arraycopy(begun, 0, data, 0, begun.length);
            System.arraycopy(rest, 0, data, begun.length, rest.length);
            dropped = 0;
            stream.send(EventStream.event("stats", "", data));
        }
    }
}
