package io.penstock.broker.session.client;

/** Deletes by key of one session in one topic, which the audit does not have yet. Confined to the session's I/O agent. */
final class KeyDeleteTally {
    private final long intervalNs;
    private long count;
    private long sinceNs;

    /** Begins so that the first delete is due. */
    KeyDeleteTally(final long nowNs, final long intervalNs) {
        this.intervalNs = intervalNs;
        sinceNs = nowNs - intervalNs;
    }

    /** Counts one; whether they are due to be recorded. */
    boolean add(final long nowNs) {
        count++;
        if (nowNs - sinceNs < intervalNs) {
            return false;
        }
        sinceNs = nowNs;
        return true;
    }

    /** How many there are, and begins with none. */
    long take() {
        final long taken = count;
        count = 0;
        return taken;
    }

    boolean isEmpty() {
        return count == 0;
    }
}
