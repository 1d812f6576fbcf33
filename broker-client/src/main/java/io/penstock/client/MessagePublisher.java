package io.penstock.client;

import io.penstock.client.engine.ActiveSubscription;
import io.penstock.client.engine.ClientEngine;
import io.penstock.client.engine.MessageSink;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Function;

/** Makes a subscription at the broker for each subscriber. Safe on any thread. */
final class MessagePublisher implements Flow.Publisher<Message> {
    private final ClientConfig config;
    private final ClientEngine engine;
    private final Executor executor;
    private final boolean hasEnd;
    private final Function<MessageSink, ActiveSubscription> newSubscription;

    /**
     * Makes a publisher of what subscriptions bring.
     *
     * @param executor        that calls subscribers.
     * @param hasEnd          whether it is complete when all has come.
     * @param newSubscription makes one for a sink, not yet at the broker.
     */
    MessagePublisher(
            final ClientConfig config,
            final ClientEngine engine,
            final Executor executor,
            final boolean hasEnd,
            final Function<MessageSink, ActiveSubscription> newSubscription) {
        this.config = config;
        this.engine = engine;
        this.executor = executor;
        this.hasEnd = hasEnd;
        this.newSubscription = newSubscription;
    }

    @Override
    public void subscribe(final Flow.Subscriber<? super Message> subscriber) {
        final FlowSink sink = new FlowSink(
                Objects.requireNonNull(subscriber, "subscriber"),
                executor,
                engine,
                new HeldMessages(config, engine),
                hasEnd);
        sink.start(sink.of(new Subscription(engine, newSubscription.apply(sink))));
    }
}
