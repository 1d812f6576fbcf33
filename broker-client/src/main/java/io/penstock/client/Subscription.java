package io.penstock.client;

/** A subscription that the broker has accepted. Safe on any thread. */
public final class Subscription implements AutoCloseable {
    private final PenstockClient client;
    private final long id;
    private volatile SubscribeRequest request;
    private final MessageSink sink;
    private volatile boolean isActive = true;

    Subscription(final PenstockClient client, final long id, final SubscribeRequest request, final MessageSink sink) {
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
