package io.penstock.bridge.iiop;

/**
 * When something was done on a connection last, and how a message goes on that has come in part. Owned by the connection's
 * thread; the one that looks for idle connections asks.
 */
final class Activity {
    /** Bytes of an incomplete message that have to come within the time after which a connection is idle. */
    private static final int PART_LENGTH_MIN = 64 * 1024;

    private volatile long activeNs = System.nanoTime();
    private volatile boolean isInPart;
    private volatile long partNs = System.nanoTime();
    private long partLength;

    /** Something has come, or was answered. */
    void onActive() {
        activeNs = System.nanoTime();
    }

    /**
     * Some was read.
     *
     * @param length      in bytes.
     * @param isInMessage whether more of a message is to come.
     */
    void onRead(final int length, final boolean isInMessage) {
        partLength += length;
        if (!isInPart || !isInMessage || partLength >= PART_LENGTH_MIN) {
            partLength = 0;
            partNs = System.nanoTime();
        }
        isInPart = isInMessage;
    }

    /** It is read from here on, or not any more. */
    void onReadingChanged() {
        // The time in which it was not read does not count.
        partNs = System.nanoTime();
    }

    /** Whether nothing was done for longer than that. */
    boolean isNoneFor(final long nowNs, final long timeoutNs) {
        return nowNs - activeNs > timeoutNs;
    }

    /** Whether too little of a message has come for longer than that. */
    boolean isPartLate(final long nowNs, final long timeoutNs) {
        return isInPart && nowNs - partNs > timeoutNs;
    }
}
