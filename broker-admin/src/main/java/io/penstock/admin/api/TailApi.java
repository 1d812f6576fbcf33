package io.penstock.admin.api;

import io.penstock.admin.http.EventStream;
import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.Broker;
import io.penstock.broker.monitor.ShardInfo;
import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.PenstockClient;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import java.util.List;

/** Streams of the messages of a topic, each by a client of its own. */
final class TailApi {
    private final Broker broker;
    private final Workers workers;
    private final BrokerClients clients;
    private final Streams streams;
    private final Shares places;

    TailApi(
            final Broker broker,
            final Workers workers,
            final BrokerClients clients,
            final Streams streams,
            final Shares places) {
        this.broker = broker;
        this.workers = workers;
        this.clients = clients;
        this.streams = streams;
        this.places = places;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/stream/tail", Access.CONNECT, this::tail);
    }

    private void tail(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Wanted wanted = Wanted.of(exchange.request());
        final Runnable place = places.take(caller);
        boolean isTaken = false;
        try {
            workers.run(exchange, () -> {
                boolean isBegun = false;
                try {
                    begin(exchange, caller, wanted, place);
                    isBegun = true;
                } finally {
                    if (!isBegun) {
                        place.run();
                    }
                }
            });
            isTaken = true;
        } finally {
            if (!isTaken) {
                place.run();
            }
        }
    }

    /** Its client is closed, and it is counted no more, when the reader goes. */
    private void begin(final Exchange exchange, final Caller caller, final Wanted wanted, final Runnable place) {
        final PenstockClient client = clients.connect(caller);
        boolean isBegun = false;
        try {
            final TailHandler handler = new TailHandler(start(), !wanted.to.isEmpty());
            final Subscription subscription = wanted.subscribe(client, handler);
            final EventStream stream = streams.open(exchange, caller);
            stream.onClosed(() -> {
                place.run();
                workers.later(client::close);
            });
            isBegun = true;
            streams.keep(stream);
            handler.begin(stream, subscription);
        } finally {
            if (!isBegun) {
                client.close();
            }
        }
    }

    /** Where every shard is: what a reader that comes again has of shards from which nothing came. */
    private Bookmark start() {
        Bookmark bookmark = Bookmark.NONE;
        for (final ShardInfo shard : broker.monitor().shards()) {
            bookmark = bookmark.with(shard.shard(), shard.lastSequence());
        }
        return bookmark;
    }

    /**
     * What is to be followed.
     *
     * @param topic     or pattern.
     * @param isPattern which of them.
     * @param filter    empty for all.
     * @param from      empty for now.
     * @param to        empty for never.
     */
    private record Wanted(String topic, boolean isPattern, String filter, String from, String to) {
        static Wanted of(final Request request) {
            final String topic = request.parameter("topic");
            if (topic.isEmpty()) {
                throw new ProblemException(400, "BAD_PARAMETER", "topic: missing (give the name of a topic)");
            }
            final String pattern = request.query().getOrDefault("pattern", "false");
            if (!pattern.equals("true") && !pattern.equals("false")) {
                throw new ProblemException(
                        400, "BAD_PARAMETER", "pattern: not a boolean: " + pattern + " (use true or false)");
            }
            final String last = request.header("Last-Event-ID");
            final String from = last == null || last.isEmpty() ? request.parameter("from") : last;
            final Wanted wanted = new Wanted(
                    topic, pattern.equals("true"), request.parameter("filter"), from, request.parameter("to"));
            wanted.begin();
            wanted.end();
            return wanted;
        }

        private boolean isLive() {
            return (from.isEmpty() || from.equals("now")) && to.isEmpty();
        }

        private LogPlace begin() {
            return switch (from) {
                case "", "now" -> LogPlace.NOW;
                case "epoch" -> LogPlace.BEGINNING;
                default -> Places.parse("from", from);
            };
        }

        private LogPlace end() {
            return switch (to) {
                case "" -> LogPlace.NO_END;
                case "now" -> LogPlace.NOW;
                default -> Places.parse("to", to);
            };
        }

        Subscription subscribe(final PenstockClient client, final TailHandler handler) {
            if (isLive()) {
                final SubscribeRequest request =
                        isPattern ? SubscribeRequest.pattern(topic) : SubscribeRequest.topic(topic);
                return client.subscribe(request.filter(filter).credit(TailHandler.CREDIT), handler);
            }
            final ReplayRequest request = isPattern ? ReplayRequest.pattern(topic) : ReplayRequest.topic(topic);
            return client.subscribe(
                    request.filter(filter).from(begin()).to(end()).live().credit(TailHandler.CREDIT), handler);
        }
    }
}
