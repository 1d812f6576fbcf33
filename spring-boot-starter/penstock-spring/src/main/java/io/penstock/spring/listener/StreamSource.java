package io.penstock.spring.listener;

import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.spring.PenstockConnection;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions that follow state, which have no credit: each is the stream of a client of its own, that holds up nobody
 * else when it is not read. One thread takes messages from it while the container has room; when it has none, the client
 * stops reading, and the broker sends the state again when the subscription lags too far.
 */
final class StreamSource implements Source {
    private static final Duration POLL = Duration.ofMillis(100);

    /** What a record takes in the log beside its payload, in bytes. */
    private static final int RECORD_LENGTH_MIN = 48;

    private final PenstockConnection connection;
    private final ListenerSubscription request;
    private final String listenerId;
    private final Executor executor;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasRoom = lock.newCondition();

    /** Of all streams that there were. */
    private long held;

    private volatile @Nullable Taker current;

    StreamSource(
            final PenstockConnection connection,
            final ListenerSubscription request,
            final String listenerId,
            final Executor executor) {
        this.connection = connection;
        this.request = request;
        this.listenerId = listenerId;
        this.executor = executor;
    }

    @Override
    public void open(final Receiver receiver) {
        final PenstockClient made = connection.newClient(listenerId);
        try {
            final Taker taker = new Taker(made, made.stream(request.toSubscribe()), receiver);
            executor.execute(taker);
            current = taker;
        } catch (final RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    @Override
    public void done(final Delivery delivery) {
        lock.lock();
        try {
            held -= delivery.length();
            hasRoom.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        final Taker known = current;
        if (known != null) {
            known.close();
        }
    }

    /** Takes from one stream, on a thread of its own. */
    private final class Taker implements Runnable {
        private final PenstockClient client;
        private final MessageStream messages;
        private final Receiver receiver;
        private volatile boolean isClosed;

        Taker(final PenstockClient client, final MessageStream messages, final Receiver receiver) {
            this.client = client;
            this.messages = messages;
            this.receiver = receiver;
        }

        @Override
        public void run() {
            try {
                while (!isClosed) {
                    final Message message = messages.poll(POLL);
                    if (message != null) {
                        handOver(message);
                    }
                }
            } catch (final PenstockException e) {
                end(e);
            } catch (final Throwable e) {
                // Without its thread it would be a subscription that hands nothing over.
                end(new PenstockException("stream: its thread has failed: " + e, e));
            }
        }

        private void end(final PenstockException reason) {
            if (!isClosed) {
                receiver.onEnd(reason);
            }
        }

        private void handOver(final Message message) throws InterruptedException {
            final int length = RECORD_LENGTH_MIN
                    + message.bytes().length
                    + message.headers().length();
            lock.lockInterruptibly();
            try {
                while (held >= request.credit() && !isClosed) {
                    hasRoom.await();
                }
                if (!isClosed) {
                    held += length;
                    handOver(new Delivery(message, length, StreamSource.this));
                }
            } finally {
                lock.unlock();
            }
        }

        private void handOver(final Delivery delivery) {
            try {
                receiver.onDelivery(delivery);
            } catch (final RuntimeException | Error e) {
                // Nobody else will.
                delivery.acknowledge();
                throw e;
            }
        }

        /** When it returns, nothing more is handed over. */
        void close() {
            lock.lock();
            try {
                isClosed = true;
                hasRoom.signalAll();
            } finally {
                lock.unlock();
            }
            try {
                messages.close();
            } finally {
                client.close();
            }
        }
    }
}
