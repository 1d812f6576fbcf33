package io.penstock.spring.listener;

/**
 * Where a container's messages come from: subscriptions, one after the other, that deliver no more than they may. Opened
 * by one thread at a time; the rest is safe on any thread.
 */
interface Source {
    /**
     * Subscribes, and hands over from then on; what it throws leaves nothing behind that hands over. Called again when the
     * subscription before has ended and was closed.
     */
    void open(Receiver receiver);

    /** Ends the subscription: when it returns, nothing more is handed over. Idempotent. */
    void close();

    /** The program is done with a message; called once for each. */
    void done(Delivery delivery);

    /** Takes what comes from a source. Called on the client's thread, or on one of the source; it does not block there. */
    interface Receiver {
        /** A message has come. */
        void onDelivery(Delivery delivery);

        /** All that was asked for has come. */
        void onCompleted();

        /** The subscription has ended without having been closed. */
        void onEnd(RuntimeException reason);
    }
}
