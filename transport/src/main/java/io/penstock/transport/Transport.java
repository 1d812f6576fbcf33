package io.penstock.transport;

import java.io.IOException;
import java.net.URI;
import org.agrona.DirectBuffer;

/**
 * One medium, confined to the agent that opened it: that agent alone calls its methods, and its handler is called
 * from {@link #poll(int)}, {@link #await(long)} and {@link #connect(URI)} only. The exception is {@link #wakeup()}.
 * The agent may move to another thread between two calls, if the first happens before the second.
 *
 * <p>Frames keep their boundaries and their order on a connection. What {@link Connection#offer} accepted leaves with
 * the next {@link #poll(int)} or {@link #await(long)} at the latest, as far as the medium takes it; the rest waits for
 * later ones, and nobody sends it when they do not come. So poll until {@link Connection#isFlushed()} before polling no
 * more. What is ready stays ready until it is polled.
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
     * connection before this returns. Names are resolved first, which may take longer.
     *
     * @param endpoint of the peer.
     * @return the connection, established.
     * @throws IOException when nobody answers, or when {@link TransportContext#connectionLimit()} is reached; the
     *     message names the endpoint, the reason and the remedy.
     */
    Connection connect(URI endpoint) throws IOException;

    /**
     * Says that many bodies are going to be offered from some memory, so that a medium whose device reads memory can send
     * them from there without a copy. Called before there are connections; media that copy ignore it.
     *
     * @param memory direct, whole pages; stays where it is until this is closed.
     */
    default void prepareBodies(final DirectBuffer memory) {
        // Most media copy.
    }

    /**
     * Sends what was offered as far as the medium takes it, reads what has arrived and hands it to the handler. Does not block. No connection waits
     * for ever behind the others, however small the limit.
     *
     * <p>What the handler throws comes out of here. The fragment it was given counts as taken, and the next poll goes
     * on behind it.
     *
     * @param frameLimit the number of frames after which to return; a soft bound, checked between reads.
     * @return the work done: frames delivered, connections made or lost, bytes flushed; 0 when there was none.
     */
    int poll(int frameLimit);

    /**
     * Blocks until something is ready to be polled, until {@link #wakeup()} was called, or until the time is up; may
     * also end early for no reason. Sends what was offered first, as far as the medium takes it. Delivers nothing.
     *
     * <p>Ready are arrived data, peers that have connected or disconnected, and room on a connection that was {@link
     * Connection#BACK_PRESSURED}. A fragment that the handler refused is not: only the agent knows what makes room for
     * it, and polls then.
     *
     * @param timeoutNs the longest wait in nanoseconds, rounded up to what the medium can do; 0 does not wait.
     */
    void await(long timeoutNs);

    /**
     * Ends a present or the next {@link #await(long)} at once. May be called from any thread. Cheap when the owner is
     * not waiting.
     */
    void wakeup();

    /**
     * Called before the owner waits in another transport, or in {@link TransportContext#loop()}. Sends what was
     * offered, and makes sure that what becomes ready from here on ends that wait. Does not block.
     *
     * @return false when something is ready to be polled already, so that the owner must not wait.
     */
    default boolean prepareToWait() {
        return true;
    }

    /** Closes every connection and listener, without calling the handler, and frees all memory. Idempotent. */
    @Override
    void close();
}
