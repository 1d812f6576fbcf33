package io.penstock.transport;

import java.io.IOException;
import java.net.URI;

/**
 * One medium, confined to the agent that opened it: that agent alone calls its methods, and its handler is called
 * from {@link #poll(int)}, {@link #await(long)} and {@link #connect(URI)} only. The exception is {@link #wakeup()}.
 *
 * <p>Frames keep their boundaries and their order on a connection. What {@link Connection#offer} accepted leaves with
 * the next {@link #poll(int)} or {@link #await(long)} at the latest.
 */
public interface Transport extends AutoCloseable {
    /**
     * Starts to accept connections.
     *
     * @param endpoint where to listen; a port of 0 means any free one.
     * @return the endpoint as bound, with the real port.
     * @throws IOException when the endpoint cannot be bound; the message names it, the reason and the remedy.
     */
    URI listen(URI endpoint) throws IOException;

    /**
     * Connects to a listening peer. Waits for at most {@link TransportContext#connectTimeoutNs()}, during which the
     * handler may be called for other connections. {@link TransportHandler#onConnect} is called for the new
     * connection before this returns.
     *
     * @param endpoint of the peer.
     * @return the connection, established.
     * @throws IOException when nobody answers; the message names the endpoint, the reason and the remedy.
     */
    Connection connect(URI endpoint) throws IOException;

    /**
     * Sends what was offered, reads what has arrived and hands it to the handler. Does not block.
     *
     * @param frameLimit the number of frames after which to return; a soft bound, checked between reads.
     * @return the work done: frames delivered, connections made or lost, bytes flushed; 0 when there was none.
     */
    int poll(int frameLimit);

    /**
     * Blocks until something is ready to be polled, until {@link #wakeup()} was called, or until the time is up.
     * Delivers nothing itself beyond what it must to stay correct. Sends what was offered first.
     *
     * @param timeoutNs the longest wait in nanoseconds.
     */
    void await(long timeoutNs);

    /**
     * Ends a present or the next {@link #await(long)} at once. May be called from any thread. Cheap when the owner is
     * not waiting.
     */
    void wakeup();

    /**
     * Whether this medium calls {@link TransportContext#wakeup()} whenever there is something to poll, so that an owner
     * of several transports may wait in another one.
     *
     * @return false when its owner has to wait in {@link #await(long)} itself.
     */
    default boolean wakesOwner() {
        return false;
    }

    /** Closes every connection and listener, without calling the handler, and frees all memory. Idempotent. */
    @Override
    void close();
}
