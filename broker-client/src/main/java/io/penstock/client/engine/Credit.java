package io.penstock.client.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the broker may still send of a subscription, in bytes of the log. The program gives; the agent tells the broker.
 * What the program never sees of it the agent gives back itself. Owned by the agent, but for what says otherwise.
 */
final class Credit {
    private final AtomicLong given;
    private final AtomicBoolean isPosted = new AtomicBoolean();
    private boolean isBegun;

    /** Of what was given, what the broker has been told on this connection, or has sent before. */
    private long told;

    private long received;

    /** Of what is just being received, what the program has seen. */
    private long seen;

    Credit(final long first) {
        given = new AtomicLong(first);
    }

    /** Gives more; any thread. Returns whether the agent has to be notified. */
    boolean give(final long length) {
        given.addAndGet(length);
        return isPosted.compareAndSet(false, true);
    }

    /** What to tell the broker now; 0 for nothing, and while a message that has taken more than there was is not paid for. */
    long toTell() {
        isPosted.set(false);
        final long now = given.get();
        final long more = now - told;
        if (!isBegun || more <= 0) {
            return 0;
        }
        told = now;
        return more;
    }

    /** The subscription is made on a connection, on which the broker knows of no credit. */
    void begin() {
        told = received;
        isBegun = true;
    }

    /** The connection is gone, and with it what was received in part. */
    void end() {
        received += seen;
        seen = 0;
        isBegun = false;
    }

    void onSeen(final int length) {
        seen += length;
    }

    /** All of a frame was received; returns what to give back of it. */
    long onReceived(final long length) {
        final long unseen = length - seen;
        received += length;
        seen = 0;
        return unseen;
    }
}
