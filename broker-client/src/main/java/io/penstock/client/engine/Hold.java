package io.penstock.client.engine;

import org.agrona.concurrent.NanoClock;

/** Whether the messages of a store wait, since the broker cannot take any, and until when. Owned by the agent. */
final class Hold {
    private final NanoClock clock;
    private final Backoff backoff;
    private boolean isHeld;
    private int count;
    private long resumeNs;

    Hold(final NanoClock clock, final Backoff backoff) {
        this.clock = clock;
        this.backoff = backoff;
    }

    /** The broker has refused a message that it may take later. */
    void begin() {
        isHeld = true;
        resumeNs = clock.nanoTime() + backoff.delayNs(++count);
    }

    boolean isHeld() {
        return isHeld;
    }

    /** Ends it when its time has come. */
    void check() {
        if (isHeld && clock.nanoTime() - resumeNs >= 0) {
            isHeld = false;
        }
    }

    /** The connection is lost: on the next one all is tried at once. */
    void end() {
        isHeld = false;
    }

    /** The broker takes messages: the next time begins with the shortest delay. */
    void onAck() {
        count = 0;
    }

    /** From now on until it ends, in nanoseconds. */
    long delayNs() {
        return isHeld ? resumeNs - clock.nanoTime() : Long.MAX_VALUE;
    }
}
