package io.penstock.client;

import io.penstock.client.engine.ClientEngine;
import io.penstock.client.engine.MessageSink;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a subscription, to be taken one by one by one thread at its own pace. A stream holds a bounded number
 * of messages and bytes; when it is full, the client stops reading its connection until some were taken, and the medium
 * pushes back on the broker. Acknowledgements and other subscriptions of the same client wait meanwhile, so a program
 * that takes slowly gives its stream a client of its own. A subscription that lags further than the broker's window
 * reaches is ended by the broker.
 *
 * <p>A loop over it waits for each next message, and ends when the stream or the client is closed, or when all messages
 * up to the end of a {@link ReplayRequest} were taken.
 */
public final class MessageStream implements Iterable<Message>, AutoCloseable {
    /** Stands after the last message. */
    private static final Message END = new Message();

    private final Sink sink;
    private final ClientEngine engine;
    private final Subscription subscription;
    private @Nullable Message lastTaken;

    MessageStream(final Sink sink, final ClientEngine engine, final Subscription subscription) {
        this.sink = sink;
        this.engine = engine;
        this.subscription = subscription;
    }

    /**
     * Takes the next message, and waits for it if need be.
     *
     * @param timeout the longest wait; zero = do not wait.
     * @return the message; null when none came in time, when the stream or the client was closed, and behind the
     *     last message of a subscription with an end.
     * @throws PenstockException when the subscription has ended, after the last message was taken.
     */
    public @Nullable Message poll(final Duration timeout) {
        return take(timeout.toNanos());
    }

    private @Nullable Message take(final long timeoutNs) {
        if (timeoutNs > 0) {
            engine.poster().checkNotAgent("stream");
        }
        final Message processed = lastTaken;
        if (processed != null) {
            lastTaken = null;
            subscription.acknowledge(processed.shard(), processed.sequence());
        }
        try {
            final Message message = sink.take(timeoutNs);
            lastTaken = subscription.active().isNamed() ? message : null;
            return message;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException("stream: interrupted while waiting for a message", e);
        }
    }

    /**
     * Goes through the messages as they come.
     *
     * @return an iterator that waits for the next message, ends when the stream or the client is closed, and throws a
     *     {@link PenstockException} when the subscription has ended.
     */
    @Override
    public Iterator<Message> iterator() {
        return new Taker();
    }

    /**
     * The subscription behind the stream.
     *
     * @return active until it is closed or has ended.
     */
    public Subscription subscription() {
        return subscription;
    }

    /** Ends the subscription and drops what was not taken; a thread that waits goes on. Idempotent. */
    @Override
    public void close() {
        // First, so that the client can read on up to the answer to the unsubscribe.
        sink.close();
        subscription.close();
    }

    /** Holds the one message that was waited for and not taken yet. */
    private final class Taker implements Iterator<Message> {
        private @Nullable Message next;

        @Override
        public boolean hasNext() {
            if (next == null) {
                next = take(Long.MAX_VALUE);
            }
            return next != null;
        }

        @Override
        public Message next() {
            final Message message = next == null ? take(Long.MAX_VALUE) : next;
            next = null;
            if (message == null) {
                throw new NoSuchElementException(
                        "stream: is closed: " + subscription.request().topic());
            }
            return message;
        }
    }

    /** Passes messages from the agent to the thread that takes them. */
    static final class Sink implements MessageSink {
        private final LinkedBlockingQueue<Message> queue = new LinkedBlockingQueue<>();
        private final AtomicLong heldLength = new AtomicLong();
        private final AtomicBoolean isAgentRefused = new AtomicBoolean();
        private final AtomicReference<@Nullable Consumer<SowProgress>> progressListener = new AtomicReference<>();
        private final int limit;
        private final long lengthMax;
        private final Runnable wakeup;
        private volatile boolean isClosed;
        private volatile @Nullable PenstockException failure;

        /** Refuses credit, which nobody would give back. */
        Sink(final ClientConfig config, final long credit, final Runnable wakeup) {
            this(config.streamLimit(), config.streamLength(), wakeup);
            if (credit > 0) {
                throw new IllegalArgumentException("stream: credit of " + credit
                        + " (leave it out, a stream has a bound; or subscribe with a handler)");
            }
        }

        Sink(final int limit, final long lengthMax, final Runnable wakeup) {
            this.limit = limit;
            this.lengthMax = lengthMax;
            this.wakeup = wakeup;
        }

        /** Sets who is notified of a query's progress, on the agent. */
        void progressListener(final Consumer<SowProgress> listener) {
            progressListener.set(listener);
        }

        @Override
        public void onProgress(final SowProgress progress) {
            final Consumer<SowProgress> listener = progressListener.get();
            if (listener != null) {
                listener.accept(progress);
            }
        }

        @Override
        public boolean onMessage(final MessageView message) {
            if (!hasRoom(message.length())) {
                isAgentRefused.set(true);
                // Some may have been taken before the taker could see that the agent waits.
                if (!hasRoom(message.length())) {
                    return false;
                }
                isAgentRefused.set(false);
            }
            if (!isClosed) {
                heldLength.addAndGet(message.length());
                queue.add(message.toMessage());
            }
            return true;
        }

        private boolean hasRoom(final int length) {
            final int held = queue.size();
            return isClosed || held == 0 || (held < limit && heldLength.get() + length <= lengthMax);
        }

        @Override
        public void onEnd(final @Nullable PenstockException reason) {
            onQueryEnd(reason);
        }

        @Override
        public void onQueryEnd(final @Nullable PenstockException reason) {
            failure = reason;
            queue.add(END);
        }

        @Nullable
        Message take(final long timeoutNs) throws InterruptedException {
            final Message message = timeoutNs > 0 ? queue.poll(timeoutNs, TimeUnit.NANOSECONDS) : queue.poll();
            if (message == null) {
                return null;
            }
            if (message.equals(END)) {
                queue.add(END);
                final PenstockException reason = failure;
                if (reason != null) {
                    throw reason.onCallersThread();
                }
                return null;
            }
            heldLength.addAndGet(-message.bytes().length);
            wakeAgent();
            return message;
        }

        private void wakeAgent() {
            // A read-modify-write: what was taken must be visible before it is asked whether the agent waits.
            if (isAgentRefused.getAndSet(false)) {
                wakeup.run();
            }
        }

        void close() {
            isClosed = true;
            queue.clear();
            queue.add(END);
            wakeAgent();
        }
    }
}
