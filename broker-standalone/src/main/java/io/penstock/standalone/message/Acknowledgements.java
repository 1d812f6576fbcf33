package io.penstock.standalone.message;

import io.penstock.client.AckHandler;
import io.penstock.client.AckType;
import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Counts the broker's answers; called on the client's thread. */
final class Acknowledgements implements AckHandler {
    private final AtomicLong processed = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final AtomicLong lastLine = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();
    private final AtomicReference<@Nullable PenstockException> lost = new AtomicReference<>();

    @Override
    public void onAck(final long lineNumber, final AckType type, final long publisherSequence) {
        processed.incrementAndGet();
        lastLine.accumulateAndGet(lineNumber, Math::max);
    }

    @Override
    public void onDuplicate(final long lineNumber, final AckType type, final long publisherSequence) {
        duplicates.incrementAndGet();
        lastLine.accumulateAndGet(lineNumber, Math::max);
    }

    @Override
    public void onFailure(final long lineNumber, final PenstockException reason) {
        failed.incrementAndGet();
        first.compareAndSet(null, lineNumber + ": " + reason.getMessage());
        if (reason instanceof ConnectionException) {
            lost.compareAndSet(null, reason);
        }
    }

    boolean hasLostConnection() {
        return lost.get() != null;
    }

    /** The last line that the broker has; 0 when it has none. */
    long lastLine() {
        return lastLine.get();
    }

    long processed() {
        return processed.get();
    }

    /** Messages that the broker has dropped, as their sequences were applied before. */
    long duplicates() {
        return duplicates.get();
    }

    long failed() {
        return failed.get();
    }

    String first() {
        return String.valueOf(first.get());
    }
}
