package io.penstock.client;

import org.jspecify.annotations.Nullable;

/** A subscription that the broker has accepted. Safe on any thread. */
public final class Subscription implements AutoCloseable {
    private final PenstockClient client;
    private final long id;
    private volatile SubscribeRequest request;
    private final MessageSink sink;
    private final @Nullable Replay replay;
    private volatile boolean isActive = true;

    Subscription(final PenstockClient client, final long id, final SubscribeRequest request, final MessageSink sink) {
        this(client, id, request, sink, null);
    }

    Subscription(
            final PenstockClient client,
            final long id,
            final SubscribeRequest request,
            final MessageSink sink,
            final @Nullable Replay replay) {
        this.replay = replay;
        this.client = client;
        this.id = id;
        this.request = request;
        this.sink = sink;
    }

    /**
     * A number that no other subscription of this client ever has.
     *
     * @return the id, from 1.
     */
    public long id() {
        return id;
    }

    /**
     * What was subscribed to.
     *
     * @return as given, or as it was replaced last.
     */
    public SubscribeRequest request() {
        return request;
    }

    /**
     * Whether messages may still come.
     *
     * @return false once it was closed or has ended.
     */
    public boolean isActive() {
        return isActive;
    }

    /**
     * Ends it. On return the handler is not called any more. Waits for the broker's answer, for at most {@link
     * ClientConfig#requestTimeoutNs()}, unless called on the client's own thread. Idempotent.
     */
    @Override
    public void close() {
        if (isActive) {
            isActive = false;
            client.unsubscribe(this);
        }
    }

    /**
     * Says that the program is done with a message of a named subscription, which does not come again then. For
     * subscriptions with {@link Processing#ACKNOWLEDGED}: messages of a shard are noted up to the first that was not
     * acknowledged.
     *
     * @param shard    of the message.
     * @param sequence in the shard.
     * @throws IllegalStateException when the subscription has no name.
     */
    public void acknowledge(final int shard, final long sequence) {
        if (replay == null) {
            throw new IllegalStateException("subscription: has no name (subscribe with one, and a bookmark store)");
        }
        replay.onProcessed(shard, sequence);
    }

    /** Null for one that has no name. */
    @Nullable
    Replay replay() {
        return replay;
    }

    /** The command that begins it, on whatever connection. */
    CommandFrame frame() {
        return replay == null ? CommandFrame.subscribe(id, request) : replay.frame(id);
    }

    void request(final SubscribeRequest newRequest) {
        request = newRequest;
    }

    MessageSink sink() {
        return sink;
    }

    /** Called by the agent when the subscription has ended by itself. */
    void onEnd() {
        isActive = false;
    }
}
