package io.penstock.client.engine;

import io.penstock.client.ReplayRate;
import io.penstock.client.Stat;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.TopicInfo;
import io.penstock.client.session.CommandFrame;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What tests of the API that drive everything in one thread do in the engine: no method waits, as a program would. */
public final class EngineHooks {
    /** How often a command is sent again. */
    public static final int REPETITION_COUNT_MAX = Request.REPETITION_COUNT_MAX;

    private EngineHooks() {}

    public static CompletableFuture<List<Stat>> stat(final CommandPoster poster, final String prefix) {
        return repeatable(poster, CommandFrame.stat(prefix), new Request.Stats());
    }

    public static CompletableFuture<List<TopicInfo>> topics(final CommandPoster poster, final String prefix) {
        return repeatable(poster, CommandFrame.topics(prefix), new Request.Topics());
    }

    public static CompletableFuture<@Nullable Void> pause(
            final CommandPoster poster, final ActiveSubscription subscription) {
        return repeatable(
                poster,
                CommandFrame.pause(subscription.id(), true),
                new SubscriptionCommand.PaceChange(() -> subscription.onPause(true)));
    }

    public static CompletableFuture<@Nullable Void> flush(final CommandPoster poster) {
        final Request.Done request = new Request.Done();
        poster.post(CommandFrame.flush(), request);
        return request;
    }

    public static CompletableFuture<Long> sowDelete(
            final CommandPoster poster, final String topic, final String filter) {
        final Request.Count request = new Request.Count();
        poster.post(CommandFrame.sowDelete(topic, filter, List.of()), request);
        return request;
    }

    /** The broker has replaced what a subscription is to. */
    public static void replaced(final ActiveSubscription subscription, final SubscribeRequest request) {
        subscription.request(request);
    }

    /** The broker has set the rate of a subscription, and has paused it. */
    public static void pacedAndPaused(final ActiveSubscription subscription, final ReplayRate rate) {
        subscription.onRate(rate);
        subscription.onPause(true);
    }

    private static <T extends @Nullable Object> CompletableFuture<T> repeatable(
            final CommandPoster poster, final CommandFrame frame, final Request<T> request) {
        request.repeatWith(frame);
        poster.post(frame, request);
        return request;
    }
}
