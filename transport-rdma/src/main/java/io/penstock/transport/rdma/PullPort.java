package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.SendRequests;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Requests of other threads to the agent of a connection to read the peer's memory, and the reads under way. Any thread
 * calls {@link #offer}; the agent calls all other methods.
 */
final class PullPort {
    /** Reads of a connection that wait; each thread has two at most. */
    private static final int QUEUE_LENGTH = 64;

    private final ManyToOneConcurrentArrayQueue<Pull> queue = new ManyToOneConcurrentArrayQueue<>(QUEUE_LENGTH);
    private final @Nullable Pull[] reading = new Pull[Link.READ_COUNT];
    private final Runnable wakeAgent;
    private int readingCount;

    PullPort(final Runnable wakeAgent) {
        this.wakeAgent = wakeAgent;
    }

    /** False when too many wait. */
    boolean offer(final Pull pull) {
        final boolean isTaken = queue.offer(pull);
        wakeAgent.run();
        return isTaken;
    }

    boolean canPost() {
        return readingCount < reading.length && !queue.isEmpty();
    }

    /** Takes the next one into a request of {@link SendRing#READ}. False when there is none yet. */
    boolean fill(final SendRequests requests) {
        final Pull pull = readingCount < reading.length ? queue.poll() : null;
        if (pull == null) {
            return false;
        }
        int index = 0;
        while (reading[index] != null) {
            index++;
        }
        reading[index] = pull;
        readingCount++;
        requests.put(
                0,
                SendRing.READ | index,
                SendRequests.READ,
                SendRequests.SIGNALLED,
                pull.localAddress,
                pull.length,
                pull.localKey);
        requests.putRemote(0, pull.remoteAddress, pull.remoteKey, 0);
        return true;
    }

    void onCompleted(final int index, final boolean isGood) {
        final Pull pull = reading[index];
        if (pull != null) {
            reading[index] = null;
            readingCount--;
            pull.onCompleted(isGood);
        }
    }
}
