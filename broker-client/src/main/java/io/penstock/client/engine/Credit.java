package io.penstock.client.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the broker may still send of a subscription, in bytes of the log. The program grants credit; the agent
 * reports it to the broker. The agent itself gives back the credit of messages that the program never sees. Owned by
 * the agent, except where a method says otherwise.
 */
final class Credit {
    private final AtomicLong given;
    private final AtomicBoolean isPosted = new AtomicBoolean();
    private boolean isBegun;

    /** Part of the granted credit that was sent to the broker on this connection, or that it has used before. */
    private long sent;

    private long received;

    /** Part of the data being received that the program has seen. */
    private long seen;

    Credit(final long first) {
        given = new AtomicLong(first);
    }

    /** Gives more; any thread. Returns whether the agent has to be notified. */
    boolean give(final long length) {
        given.addAndGet(length);
        return isPosted.compareAndSet(false, true);
    }

    /**
     * Credit to send to the broker now; 0 for none, and while a message that took more than was left is not paid for.
     */
    long toSend() {
        isPosted.set(false);
        final long now = given.get();
        final long more = now - sent;
        if (!isBegun || more <= 0) {
            return 0;
        }
        sent = now;
        return more;
    }

    /** The subscription is made on a connection, on which the broker knows of no credit. */
    void begin() {
        sent = received;
        isBegun = true;
    }

    /** The connection has ended, and partly received messages are lost. */
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
