package io.penstock.spring.state;

import io.penstock.client.Message;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Changes on their way from the client's thread to the mirror's. Bounded by the number of records: of one key the newest
 * change waits, and when all records come again, nothing that waited before counts. The client's thread adds, one thread
 * takes.
 */
final class PendingChanges {
    /** What a change is. */
    enum Kind {
        BEGIN,
        END,
        RECORD,
        SUBSCRIPTION_ENDED
    }

    /** A change; of a record, its newest message. */
    static final class Change {
        private final Kind kind;
        private @Nullable Message message;
        private final @Nullable RuntimeException reason;

        private Change(final Kind kind, final @Nullable Message message, final @Nullable RuntimeException reason) {
            this.kind = kind;
            this.message = message;
            this.reason = reason;
        }

        Kind kind() {
            return kind;
        }

        @Nullable
        Message message() {
            return message;
        }

        @Nullable
        RuntimeException reason() {
            return reason;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isFilled = lock.newCondition();
    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private final Map<String, Change> byKey = new HashMap<>();

    void add(final Message message) {
        final String key = message.key();
        lock.lock();
        try {
            final Change waiting = byKey.get(key);
            if (waiting != null) {
                waiting.message = message;
                return;
            }
            final Change change = new Change(Kind.RECORD, message, null);
            byKey.put(key, change);
            changes.add(change);
            isFilled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void begin() {
        mark(new Change(Kind.BEGIN, null, null), true);
    }

    void end() {
        mark(new Change(Kind.END, null, null), false);
    }

    void subscriptionEnded(final RuntimeException reason) {
        mark(new Change(Kind.SUBSCRIPTION_ENDED, null, reason), false);
    }

    private void mark(final Change change, final boolean isNothingBefore) {
        lock.lock();
        try {
            if (isNothingBefore) {
                changes.removeIf(waiting -> waiting.kind() != Kind.SUBSCRIPTION_ENDED);
            }
            byKey.clear();
            changes.add(change);
            isFilled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next, and waits for it; null when none came in time. */
    @Nullable
    Change take(final long timeoutMs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            while (changes.isEmpty()) {
                if (leftNs <= 0) {
                    return null;
                }
                leftNs = isFilled.awaitNanos(leftNs);
            }
            final Change change = changes.remove();
            if (change.message != null) {
                byKey.remove(change.message.key(), change);
            }
            return change;
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            changes.clear();
            byKey.clear();
        } finally {
            lock.unlock();
        }
    }
}
