package io.penstock.bridge.service;

import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.Subscription;
import io.penstock.orb.BrokerException;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Turns what clients of the bridge ask into requests of the Java client. */
final class Requests {
    private Requests() {}

    /** Refuses what only a program sends that does not make requests by their methods. */
    static void check(final SubscribeRequest request) throws BrokerException {
        check("subscribe", request);
        check("subscribe", request.topic(), request.filter(), request.start(), request.name());
    }

    /** Likewise. */
    static void check(final QueryRequest request) throws BrokerException {
        check("query", request);
        check("query", request.topic(), request.filter(), request.select());
        check("query", request.groupBy(), request.having(), request.orderBy());
    }

    private static void check(final String what, final @Nullable Object... values) throws BrokerException {
        for (final Object each : values) {
            if (each == null) {
                throw Refusals.of(
                        ErrorCode.BAD_TEXT, what + ": the request is not whole (make it by the methods of its class)");
            }
        }
    }

    /**
     * Subscribes to the log when the request has a place or a name, else to what comes.
     *
     * @param noted how far its name has come.
     */
    static Subscription subscribe(
            final PenstockClient client,
            final SubscribeRequest request,
            final Subscriber subscriber,
            final Bookmark noted) {
        if (request.topic().isEmpty()) {
            throw new PenstockException(ErrorCode.BAD_TOPIC, "subscribe: topic is empty (name one, or use a pattern)");
        }
        final long credit = isOnCredit(request) ? subscriber.credit() : 0;
        if (request.start().isEmpty() && request.name().isEmpty()) {
            return client.subscribe(live(request).credit(credit), subscriber);
        }
        if (!isOnCredit(request)) {
            throw new PenstockException(
                    ErrorCode.NOT_SUPPORTED,
                    "subscribe: a place in the log or a name, and sow, oof or delta (use the one or the other)");
        }
        final ReplayRequest all =
                request.isPattern() ? ReplayRequest.pattern(request.topic()) : ReplayRequest.topic(request.topic());
        final LogPlace place = noted.equals(Bookmark.NONE) ? place(request.start()) : LogPlace.bookmark(noted);
        return client.subscribe(all.filter(request.filter()).from(place).credit(credit), subscriber);
    }

    /** Whether the broker sends only what there is room for: not of state, of which it has the newest at any time. */
    static boolean isOnCredit(final SubscribeRequest request) {
        return !request.isSow() && !request.isOof() && !request.isDelta();
    }

    private static io.penstock.client.SubscribeRequest live(final SubscribeRequest request) {
        io.penstock.client.SubscribeRequest live = request.isPattern()
                ? io.penstock.client.SubscribeRequest.pattern(request.topic())
                : io.penstock.client.SubscribeRequest.topic(request.topic());
        live = live.filter(request.filter());
        live = request.isSow() ? live.sow() : live;
        live = request.isOof() ? live.oof() : live;
        return request.isDelta() ? live.delta() : live;
    }

    private static LogPlace place(final String text) {
        if (text.equals("beginning")) {
            return LogPlace.BEGINNING;
        }
        if (text.isEmpty() || text.equals("now")) {
            return LogPlace.NOW;
        }
        if (text.indexOf('T') < 0) {
            return LogPlace.bookmark(Bookmark.parse(text));
        }
        try {
            return LogPlace.time(Instant.parse(text));
        } catch (final DateTimeParseException | ArithmeticException e) {
            throw new PenstockException(
                    ErrorCode.BAD_TEXT,
                    "subscribe: not a place in the log: " + text
                            + " (use beginning, now, a bookmark such as 0:1234, or a time such as"
                            + " 2026-01-31T10:15:00Z)");
        }
    }

    static SowRequest sow(final QueryRequest request, final int timeoutMs) {
        if (request.topic().isEmpty()) {
            throw new PenstockException(ErrorCode.BAD_TOPIC, "query: topic is empty (name one, or use a pattern)");
        }
        final SowRequest all =
                request.isPattern() ? SowRequest.pattern(request.topic()) : SowRequest.topic(request.topic());
        return all.filter(request.filter())
                .select(request.select())
                .groupBy(request.groupBy())
                .having(request.having())
                .orderBy(request.orderBy())
                .top(request.top())
                .skip(request.skip())
                .timeout(Duration.ofMillis(timeoutMs));
    }
}
