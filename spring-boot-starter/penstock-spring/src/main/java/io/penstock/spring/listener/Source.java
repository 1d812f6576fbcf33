package io.penstock.spring.listener;

/** Where a container's messages come from: a subscription that delivers no more than it may. Safe on any thread. */
interface Source {
    /** Subscribes, and hands over from then on; what it throws leaves nothing behind. */
    void open();

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
