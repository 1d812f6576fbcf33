package io.penstock.spring.listener;

import io.penstock.client.Subscription;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a container holds of its credit, over the subscriptions that it makes one after the other: a new one begins with
 * what the messages of those before have left. Safe on any thread.
 */
final class HeldCredit {
    private final ReentrantLock lock = new ReentrantLock();
    private final long limit;
    private final long grant;
    private long held;

    /** To be given back: kept until it is worth a command. Below 0 while more was given than there was. */
    private long due;

    /** Null while one is being made. */
    private @Nullable Subscription subscription;

    HeldCredit(final long limit) {
        this.limit = limit;
        grant = Math.max(1, limit / 2);
    }

    /** A subscription is being made. Returns what it begins with, 1 or more. */
    long begin() {
        lock.lock();
        try {
            final long left = limit - held;
            final long given = Math.max(1, left);
            subscription = null;
            due = left - given;
            return given;
        } finally {
            lock.unlock();
        }
    }

    /** It is made; messages may have come before, and may be done. */
    void onSubscribed(final Subscription made) {
        change(0, 0, made);
    }

    void add(final long length) {
        change(length, 0, null);
    }

    void remove(final long length) {
        change(-length, length, null);
    }

    private void change(final long heldDelta, final long dueDelta, final @Nullable Subscription made) {
        final Subscription known;
        final long given;
        lock.lock();
        try {
            subscription = made == null ? subscription : made;
            held += heldDelta;
            due += dueDelta;
            known = subscription;
            given = known == null || due < grant ? 0 : due;
            due -= given;
        } finally {
            lock.unlock();
        }
        if (known != null && given > 0) {
            known.credit(given);
        }
    }
}
