package io.penstock.clientkit;

import io.penstock.client.AckMode;
import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SowResult;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Subscriptions, replays and queries of one client. Used from any thread. */
final class Subscribing {
    private static final long NS_PER_S = 1_000_000_000L;

    private final PenstockClient client;
    private final Observations observations;
    private final Map<String, ObservedSubscription> subscriptions = new ConcurrentHashMap<>();

    Subscribing(final PenstockClient client, final Observations observations) {
        this.client = client;
        this.observations = observations;
    }

    /** The last message of a subscription. */
    Message last(final String of) {
        return Objects.requireNonNull(find(of).last());
    }

    Subscription subscription(final String of) {
        return Objects.requireNonNull(find(of).subscription());
    }

    private ObservedSubscription find(final String of) {
        return Objects.requireNonNull(subscriptions.get(of), of);
    }

    void subscribe(final Action action) {
        SubscribeRequest request = action.is("pattern")
                ? SubscribeRequest.pattern(action.text("topic"))
                : SubscribeRequest.topic(action.text("topic"));
        request = request.filter(action.text("filter")).select(action.text("select"));
        request = request.orderBy(action.text("orderBy"))
                .skip(action.number("skip", 0))
                .batchSize(action.number("batchSize", 0))
                .credit(action.longNumber("credit"));
        request = action.has("top") ? request.top(action.number("top", 0)) : request;
        request = action.is("sow") ? request.sow() : request;
        request = action.is("oof") ? request.oof() : request;
        request = action.is("delta") ? request.delta() : request;
        request = action.is("noEmpties") ? request.withoutEmpties() : request;
        request = action.is("durable") ? request.durable() : request;
        request = action.has("conflationMs")
                ? request.conflation(action.millis("conflationMs", 0), action.text("conflationKey"))
                : request;
        final ObservedSubscription observed = observed(action);
        observed.begin(client.subscribe(request, observed));
    }

    void replay(final Action action) {
        ReplayRequest request = action.is("pattern")
                ? ReplayRequest.pattern(action.text("topic"))
                : ReplayRequest.topic(action.text("topic"));
        request = request.filter(action.text("filter"))
                .credit(action.longNumber("credit"))
                .from(place(action, "start", LogPlace.BEGINNING))
                .to(place(action, "end", LogPlace.NO_END))
                .ifMissing(ReplayRequest.Missing.valueOf(
                        action.text("missing", "fail").toUpperCase(Locale.ROOT)));
        request = action.is("live") ? request.live() : request;
        final ObservedSubscription observed = observed(action);
        observed.begin(
                action.has("name")
                        ? client.subscribe(action.text("name"), request, observed, AckMode.AUTO)
                        : client.subscribe(request, observed));
    }

    private ObservedSubscription observed(final Action action) {
        final ObservedSubscription observed =
                new ObservedSubscription(observations, action.id(), action.longNumber("credit"));
        subscriptions.put(action.id(), observed);
        return observed;
    }

    private static LogPlace place(final Action action, final String name, final LogPlace otherwise) {
        if (action.map(name).get("timeNs") instanceof Number timeNs) {
            return LogPlace.time(Instant.ofEpochSecond(timeNs.longValue() / NS_PER_S, timeNs.longValue() % NS_PER_S));
        }
        return switch (action.text(name)) {
            case "", "beginning" -> otherwise;
            case "now" -> LogPlace.NOW;
            default -> {
                final Bookmark bookmark = Bookmark.parse(action.text(name));
                yield action.is(name + "Included") ? LogPlace.including(bookmark) : LogPlace.bookmark(bookmark);
            }
        };
    }

    void query(final Action action) {
        SowRequest request = action.is("pattern")
                ? SowRequest.pattern(action.text("topic"))
                : SowRequest.topic(action.text("topic"));
        request = request.join(action.text("join"))
                .filter(action.text("filter"))
                .orderBy(action.text("orderBy"))
                .select(action.text("select"))
                .groupBy(action.text("groupBy"))
                .having(action.text("having"))
                .skip(action.number("skip", 0))
                .batchSize(action.number("batchSize", 0))
                .keys(action.texts("keys"));
        request = action.has("top") ? request.top(action.number("top", 0)) : request;
        request = action.has("timeoutMs") ? request.timeout(action.millis("timeoutMs", 0)) : request;
        request = action.is("durable") ? request.durable() : request;
        request = action.has("asOf") ? request.asOf(Bookmark.parse(action.text("asOf"))) : request;
        final SowResult result = client.sow(request);
        result.messages().forEach(message -> observations.message(action.id(), message, 0));
        observations.tell(
                action.id(),
                "answer",
                Map.of(
                        "matches",
                        result.stats().matches(),
                        "returned",
                        result.stats().returned()));
    }
}
