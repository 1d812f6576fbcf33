package io.penstock.client;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a subscription, to be taken one by one by any thread at its own pace. A stream holds a bounded number
 * of messages and bytes; when it is full, the client stops reading its connection until some were taken, and the medium
 * pushes back on the broker. Acknowledgements and other subscriptions of the same client wait meanwhile, so a program
 * that takes slowly gives its stream a client of its own. A subscription that lags further than the broker's window
 * reaches is ended by the broker.
 *
 * <p>As an iterator it waits for the next message, and ends when the stream is closed.
 */
public final class MessageStream implements Iterable<Message>, Iterator<Message>, AutoCloseable {
    MessageStream() {}

    /**
     * Takes the next message, and waits for it if need be.
     *
     * @param timeout the longest wait.
     * @return the message; null when none came in time, and when the stream was closed.
     * @throws PenstockException when the subscription has ended, after the last message was taken.
     */
    public @Nullable Message poll(final Duration timeout) {
        throw new UnsupportedOperationException(timeout.toString());
    }

    /**
     * Waits for the next message.
     *
     * @return true when there is one, false when the stream was closed.
     * @throws PenstockException when the subscription has ended.
     */
    @Override
    public boolean hasNext() {
        throw new UnsupportedOperationException();
    }

    /**
     * Takes the next message, and waits for it if need be.
     *
     * @return the message.
     * @throws NoSuchElementException when the stream was closed.
     * @throws PenstockException      when the subscription has ended.
     */
    @Override
    public Message next() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Iterator<Message> iterator() {
        return this;
    }

    /**
     * The subscription behind the stream.
     *
     * @return active until it is closed or has ended.
     */
    public Subscription subscription() {
        throw new UnsupportedOperationException();
    }

    /** Ends the subscription and drops what was not taken. Idempotent. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
