package io.penstock.broker.session;

/** What the sessions of one identity hold of an I/O agent's staging. Confined to that agent. */
final class StagingShare {
    final String identity;

    /** Bytes of slots in use. */
    long length;

    private int sessionCount;

    /** @param identity of those who share it. */
    StagingShare(final String identity) {
        this.identity = identity;
    }

    /** A session has begun a long frame for the first time. */
    void onSession() {
        sessionCount++;
    }

    /** One of those was closed. */
    void onSessionClosed() {
        sessionCount--;
    }

    /** Whether it has neither sessions nor slots. */
    boolean isUnused() {
        return sessionCount == 0 && length == 0;
    }
}
