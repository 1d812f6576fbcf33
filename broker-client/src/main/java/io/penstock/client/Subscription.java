package io.penstock.client;

import io.penstock.client.engine.ActiveSubscription;
import io.penstock.client.engine.ClientEngine;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A subscription that the broker has accepted. Safe on any thread. */
public final class Subscription implements AutoCloseable {
    private final ClientEngine engine;
    private final ActiveSubscription active;

    Subscription(final ClientEngine engine, final ActiveSubscription active) {
        this.engine = engine;
        this.active = active;
    }

    /** The engine's state of it. */
    ActiveSubscription active() {
        return active;
    }

    /**
     * A number that no other subscription of this client ever has.
     *
     * @return the id, from 1.
     */
    public long id() {
        return active.id();
    }

    /**
     * The request of the subscription.
     *
     * @return as given, or as it was replaced last.
     */
    public SubscribeRequest request() {
        return active.request();
    }

    /**
     * Whether messages may still come.
     *
     * @return false once it was closed or has ended.
     */
    public boolean isActive() {
        return active.isActive();
    }

    /**
     * Ends it. On return the handler is not called any more; one on an executor ({@link MessageHandler#on}) may still be in
     * calls that it was in, and the messages that wait for it are dropped. Waits for the broker's answer, for at most {@link
     * ClientConfig#requestTimeoutNs()}, unless called on the client's own thread or while there is no connection: then it
     * is not made again on the next one. It reaches the broker before commands and publishes that still wait. Idempotent.
     */
    @Override
    public void close() {
        if (active.stop()) {
            engine.unsubscribe(active);
        }
    }

    /**
     * Completes when all messages have come that were in the log when the subscription was made, or all up to its end.
     * A stream may still hold some of them then.
     *
     * @return completed on the client's thread, exceptionally with a {@link PenstockException} when the subscription
     *     ended before.
     * @throws IllegalStateException when the subscription was not made with a {@link ReplayRequest}.
     */
    public CompletableFuture<@Nullable Void> completed() {
        if (!active.isReplay()) {
            throw new IllegalStateException("subscription: is not to the log (subscribe with a ReplayRequest)");
        }
        return active.completed().copy();
    }

    /**
     * Lets the broker deliver nothing until {@link #resume()}; nothing is lost. What is on its way already still comes. It
     * stays paused on new connections. Waits for the broker's answer; not to be called on the client's own thread.
     *
     * @throws PenstockException when the broker refuses it, as it does for subscriptions that follow state.
     */
    public void pause() {
        engine.pause(active, true);
    }

    /**
     * Goes on after {@link #pause()}, where it was. Waits for the broker's answer; not to be called on the client's own
     * thread.
     *
     * @throws PenstockException when the broker refuses it.
     */
    public void resume() {
        engine.pause(active, false);
    }

    /**
     * Sets how fast messages come at most, from now on and on new connections. Waits for the broker's answer; not to be
     * called on the client's own thread.
     *
     * @param limit {@link ReplayRate#UNLIMITED} for as fast as they are taken.
     * @throws PenstockException when the broker refuses it, as it does for subscriptions that follow state.
     */
    public void rate(final ReplayRate limit) {
        engine.rate(active, limit);
    }

    /**
     * Lets more messages come, if it was made with credit, until that is used up; the last one may take more. Does not wait, and may be called in a handler. What was given counts on new connections as well; once the subscription has
     * ended, or was replaced, it does nothing.
     *
     * @param length in bytes, as {@link MessageView#creditLength()} counts them.
     * @throws IllegalStateException    when the subscription was made without credit.
     * @throws IllegalArgumentException when it is not 1 or more.
     */
    public void credit(final long length) {
        if (!active.isMadeOnCredit()) {
            throw new IllegalStateException("subscription: was made without credit (ask for it in the request)");
        }
        if (length < 1) {
            throw new IllegalArgumentException("subscription: credit is too small: " + length + " (give 1 or more)");
        }
        engine.credit(active, length);
    }

    /**
     * Says that the program is done with a message of a named subscription, which does not come again then. For
     * subscriptions with {@link AckMode#MANUAL}: messages of a shard are noted up to the first that was not
     * acknowledged.
     *
     * @param shard    of the message.
     * @param sequence in the shard.
     * @throws IllegalStateException when the subscription has no name.
     */
    public void acknowledge(final int shard, final long sequence) {
        active.acknowledge(shard, sequence);
    }
}
