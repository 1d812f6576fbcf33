package io.penstock.transport.tls;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * Bounds the records without data of one connection, updates of keys above all, each of which costs this side an answer:
 * a number at once, and one more each second. Confined to the thread of the connection.
 */
public final class EmptyRecords {
    /** So many at once. */
    public static final int COUNT_MAX = 32;

    static final String TOO_MANY = "the peer sends too many updates of keys, or other records without data: more than "
            + COUNT_MAX + " (it should send data)";

    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final NanoClock clock;
    private int count;
    private long countedNs;

    /**
     * None yet.
     *
     * @param clock by which more are allowed.
     */
    public EmptyRecords(final NanoClock clock) {
        this.clock = clock;
    }

    /**
     * One came.
     *
     * @throws TlsException when there were too many.
     */
    public void onRecord() throws TlsException {
        final long nowNs = clock.nanoTime();
        if (count == 0) {
            countedNs = nowNs;
        }
        final long passed = (nowNs - countedNs) / INTERVAL_NS;
        countedNs += passed * INTERVAL_NS;
        count = (int) Math.max(0, count - passed) + 1;
        if (count > COUNT_MAX) {
            throw new TlsException(TOO_MANY);
        }
    }
}
