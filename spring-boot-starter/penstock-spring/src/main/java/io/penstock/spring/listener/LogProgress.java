package io.penstock.spring.listener;

import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How far a container has come in the log, for a listener without a name: a subscription that takes the place of one that
 * has ended goes on after the last message that the container was given of each shard. Safe on any thread.
 */
final class LogProgress {
    private static final long UNKNOWN = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final ReplayRequest request;
    private Bookmark taken;
    private boolean hasTaken;
    private boolean isResumed;

    /** In a shard of which nothing has come yet, what is older was not asked for. */
    private long sinceNs;

    LogProgress(final ReplayRequest request) {
        this.request = request;
        taken = request.from().bookmark();
        sinceNs = request.from().timeNs();
    }

    /** What to subscribe to now. What is no longer in the log is left out, as the listener cannot get it any more. */
    ReplayRequest next() {
        lock.lock();
        try {
            isResumed = hasTaken;
            return hasTaken
                    ? request.from(LogPlace.bookmark(taken)).ifMissing(ReplayRequest.Missing.BEGINNING)
                    : request;
        } finally {
            lock.unlock();
        }
    }

    /** A message has come; returns false when the listener is not to get it. */
    boolean take(final int shard, final long sequence, final long timestampNs) {
        lock.lock();
        try {
            if (isResumed && taken.sequence(shard) == UNKNOWN && timestampNs < sinceNs) {
                return false;
            }
            if (!hasTaken && request.from().kind() == LogPlace.Kind.NOW) {
                sinceNs = timestampNs;
            }
            hasTaken = true;
            taken = taken.with(shard, sequence);
            return true;
        } finally {
            lock.unlock();
        }
    }
}
