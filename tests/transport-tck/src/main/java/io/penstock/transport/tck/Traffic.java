package io.penstock.transport.tck;

import java.util.concurrent.atomic.AtomicLong;

/** What all transports of this JVM have sent, to be compared with a device's counters. Any thread may ask. */
public final class Traffic {
    private static final AtomicLong BYTES_SENT = new AtomicLong();

    private Traffic() {}

    /**
     * Bytes were sent by a transport whose counters are read for the last time.
     *
     * @param length in bytes.
     */
    public static void onSent(final long length) {
        BYTES_SENT.addAndGet(length);
    }

    /**
     * Bytes of transports that are closed.
     *
     * @return bytes.
     */
    public static long bytesSent() {
        return BYTES_SENT.get();
    }
}
