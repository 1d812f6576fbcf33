package io.penstock.transport.rdma.verbs;

import org.agrona.DirectBuffer;

/**
 * Events of endpoints; called by {@link Verbs#pollEvents} on the control thread. It may call any method of control, and
 * close the endpoint of the event. Private data is valid until the call returns.
 */
public interface VerbsHandler {
    /** How an attempt to connect failed. */
    enum Failure {
        /** No device of this machine has a route to that address. */
        NO_ROUTE,
        /** The other machine refused because nobody listens there. */
        NOBODY_LISTENS,
        /** The peer refused by {@link VerbsEndpoint#reject}; its private data says why. */
        REJECTED,
        /** No answer, or one that could not be used. */
        NO_ANSWER
    }

    /**
     * A peer wants to connect. To be answered, at some time, by {@link VerbsEndpoint#open} and {@link
     * VerbsEndpoint#accept}, or by {@link VerbsEndpoint#reject}.
     *
     * @param listener that heard of it.
     * @param endpoint new, on the device where the request came from.
     * @param buffer   holding the peer's private data.
     * @param offset   of the first byte.
     * @param length   in bytes.
     */
    void onRequest(VerbsListener listener, VerbsEndpoint endpoint, DirectBuffer buffer, int offset, int length);

    /**
     * The way to the peer is known: {@link VerbsEndpoint#device()} is there, and {@link VerbsEndpoint#open} and {@link
     * VerbsEndpoint#connect} can follow.
     *
     * @param endpoint of {@link Verbs#resolve}.
     */
    void onResolved(VerbsEndpoint endpoint);

    /**
     * The connection is there; both sides may send.
     *
     * @param endpoint of either side.
     * @param buffer   holding the private data of the peer's accept; of length 0 on the side that accepted.
     * @param offset   of the first byte.
     * @param length   in bytes.
     */
    void onEstablished(VerbsEndpoint endpoint, DirectBuffer buffer, int offset, int length);

    /**
     * The connection will never be there. The endpoint is to be closed.
     *
     * @param endpoint of either side.
     * @param failure  what it was.
     * @param status   the system's number for it, for people.
     * @param buffer   holding the private data of the peer's reject, if any.
     * @param offset   of the first byte.
     * @param length   in bytes.
     */
    void onFailed(VerbsEndpoint endpoint, Failure failure, int status, DirectBuffer buffer, int offset, int length);

    /**
     * The connection has ended: the peer disconnected, its process or machine ended, or the device was removed.
     * Received data can still be polled. Called at most once, and not for sure.
     *
     * @param endpoint that was established.
     */
    void onDisconnected(VerbsEndpoint endpoint);

    /**
     * The device that a listener listens on was taken away; nobody connects to it any more. The listener is to be
     * closed.
     *
     * @param listener that has lost it. A listener on all addresses is not reported.
     */
    void onListenerLost(VerbsListener listener);
}
