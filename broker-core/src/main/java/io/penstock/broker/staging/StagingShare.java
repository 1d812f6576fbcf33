package io.penstock.broker.staging;

/** The part of an I/O agent's staging that the sessions of one identity use. Confined to that agent. */
public final class StagingShare {
    private final String identity;
    private final StagingBound bound;

    long length;

    private int sessionCount;

    /** @param identity whose frames share it. */
    public StagingShare(final String identity) {
        this(identity, StagingBound.NONE);
    }

    /**
     * A share that no frames use.
     *
     * @param identity whose frames share it.
     * @param bound    of that identity over all I/O agents.
     */
    public StagingShare(final String identity, final StagingBound bound) {
        this.identity = identity;
        this.bound = bound;
    }

    /** The bound of its identity over all I/O agents. */
    public StagingBound bound() {
        return bound;
    }

    public String identity() {
        return identity;
    }

    /** Bytes of slots in use. */
    public long length() {
        return length;
    }

    /** A session has begun a long frame for the first time. */
    public void onSession() {
        sessionCount++;
    }

    /** One of those was closed. */
    public void onSessionClosed() {
        sessionCount--;
    }

    /** Whether it has neither sessions nor slots. */
    public boolean isUnused() {
        return sessionCount == 0 && length == 0;
    }
}
