package io.penstock.transport.rdma.verbs;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;

/**
 * One end of a reliable connection, with a queue of sends, a queue of receives, and one queue of the completions of both.
 *
 * <p>Methods above {@link #postSends} are for the control thread, from there to {@link #isArmed()} for the agent that was
 * given the endpoint.
 */
public interface VerbsEndpoint extends AutoCloseable {
    /**
     * The device it is on; there as soon as it was resolved or requested, always the same object for the same device.
     *
     * @return the device.
     * @throws IllegalStateException before that.
     */
    VerbsDevice device();

    /**
     * This end's address.
     *
     * @return address and port; once resolved or requested.
     */
    InetSocketAddress localAddress();

    /**
     * The peer's address.
     *
     * @return address and port; once resolved or requested.
     */
    InetSocketAddress peerAddress();

    /**
     * Makes the queues. Once, before {@link #connect} or {@link #accept}; afterwards receives can be posted.
     *
     * @param sendCapacity    the most sends that are posted and not completed; unsignalled ones count until a later
     *                        signalled one is polled.
     * @param receiveCapacity the most receives that are posted and not completed.
     * @param inlineLength    bytes that sends may take along, if the device can; see {@link #inlineLength()}.
     * @throws IOException when the device has no such queues; with its limits.
     */
    void open(int sendCapacity, int receiveCapacity, int inlineLength) throws IOException;

    /**
     * The longest send that may have {@link SendRequests#INLINE}.
     *
     * @return bytes, 0 for none; known once open.
     */
    int inlineLength();

    /**
     * Connects; ends with {@link VerbsHandler#onEstablished} or {@link VerbsHandler#onFailed}.
     *
     * @param buffer holding private data for the peer.
     * @param offset of the first byte.
     * @param length in bytes, at most {@link Verbs#PRIVATE_LENGTH_MAX}.
     * @throws IOException when it fails at once.
     */
    void connect(DirectBuffer buffer, int offset, int length) throws IOException;

    /**
     * Accepts a request. The peer may send at once, so receives are posted before; this side may when it returns.
     *
     * @param buffer holding private data for the peer.
     * @param offset of the first byte.
     * @param length in bytes, at most {@link Verbs#PRIVATE_LENGTH_MAX}.
     * @throws IOException when it fails, for example because the peer has disconnected; the endpoint is to be closed.
     */
    void accept(DirectBuffer buffer, int offset, int length) throws IOException;

    /**
     * Refuses a request, with the reason. The endpoint is to be closed then. Best effort.
     *
     * @param buffer holding private data for the peer.
     * @param offset of the first byte.
     * @param length in bytes, at most {@link Verbs#PRIVATE_LENGTH_MAX}.
     */
    void reject(DirectBuffer buffer, int offset, int length);

    /**
     * Ends the connection: the peer is notified, and posted requests on either side complete with {@link
     * Completions#FLUSHED}. Sends that have not completed may be lost. Idempotent; best effort.
     */
    void disconnect();

    /**
     * Ends the endpoint and its queues. The device touches none of the memory any more that was posted. No events follow.
     * Idempotent.
     */
    @Override
    void close();

    /**
     * Posts requests, in order.
     *
     * @param requests filled in; free again on return.
     * @param count    of those from index 0 on.
     * @return how many were taken, less than count only when the queue is full or broken, which its completions show;
     *     or a negative errno when none was.
     */
    int postSends(SendRequests requests, int count);

    /**
     * Posts receives, in order. They complete in this order. Control as well, before the endpoint is handed over.
     *
     * @param requests filled in; free again on return.
     * @param count    of those from index 0 on.
     * @return as {@link #postSends}.
     */
    int postReceives(ReceiveRequests requests, int count);

    /**
     * Takes completions. Sends complete in the order they were posted, receives as well; an unsignalled send has none,
     * unless it fails. The first that failed breaks the endpoint: all others follow as {@link Completions#FLUSHED}. May
     * also be called by the control thread when the endpoint was given back to it.
     *
     * @param completions to be filled from index 0 on.
     * @return how many, at most {@link Completions#capacity()}; or a negative errno when the queue is broken.
     */
    int poll(Completions completions);

    /**
     * Asks for the next completion to end {@link Verbs#awaitCompletions}. One that came before does not, so that the
     * queue is polled once more before waiting.
     */
    void arm();

    /**
     * Whether {@link #arm()} still holds.
     *
     * @return false when it has to be called again before waiting.
     */
    boolean isArmed();
}
