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
 * A subscription that follows state, which has no credit: the stream of a client of its own, that holds up nobody else
 * when it is not read. One thread takes messages from it while the container has room; when it has none, the client stops
 * reading, and the broker sends the state again when the subscription lags too far.
 */
final class StreamSource implements Source {
    private static final Duration POLL = Duration.ofMillis(100);

    /** What a record takes in the log beside its payload, in bytes. */
    private static final int RECORD_LENGTH_MIN = 48;

    private final PenstockConnection connection;
    private final ListenerSubscription request;
    private final String listenerId;
    private final Executor executor;
    private final Receiver receiver;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasRoom = lock.newCondition();
    private long held;
    private volatile boolean isClosed;
    private volatile @Nullable PenstockClient client;
    private volatile @Nullable MessageStream stream;

    StreamSource(
            final PenstockConnection connection,
            final ListenerSubscription request,
            final String listenerId,
            final Executor executor,
            final Receiver receiver) {
        this.connection = connection;
        this.request = request;
        this.listenerId = listenerId;
        this.executor = executor;
        this.receiver = receiver;
    }

    @Override
    public void open() {
        final PenstockClient made = connection.newClient(listenerId);
        try {
            final MessageStream messages = made.stream(request.toSubscribe());
            client = made;
            stream = messages;
            executor.execute(() -> take(messages));
        } catch (final RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private void take(final MessageStream messages) {
        try {
            while (!isClosed) {
                final Message message = messages.poll(POLL);
                if (message != null) {
                    handOver(message);
                }
            }
        } catch (final PenstockException e) {
            if (!isClosed) {
                receiver.onEnd(e);
            }
        } catch (final RuntimeException e) {
            if (!isClosed) {
                receiver.onEnd(new PenstockException("stream: its thread has failed: " + e, e));
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handOver(final Message message) throws InterruptedException {
        final int length =
                RECORD_LENGTH_MIN + message.bytes().length + message.headers().length();
        lock.lockInterruptibly();
        try {
            while (held >= request.credit() && !isClosed) {
                hasRoom.await();
            }
            if (!isClosed) {
                held += length;
                receiver.onDelivery(new Delivery(message, length, this));
            }
        } finally {
            lock.unlock();
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
        lock.lock();
        try {
            isClosed = true;
            hasRoom.signalAll();
        } finally {
            lock.unlock();
        }
        final MessageStream messages = stream;
        if (messages != null) {
            messages.close();
        }
        final PenstockClient own = client;
        if (own != null) {
            own.close();
        }
    }
}
