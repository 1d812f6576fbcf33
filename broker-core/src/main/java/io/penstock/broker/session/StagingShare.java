package io.penstock.broker.session;

/** What the sessions of one identity hold of an I/O agent's staging. Confined to that agent. */
final class StagingShare {
    final String identity;

    /** Bytes of slots in use. */
    long length;

    /** Sessions that have begun a long frame and are not closed. */
    int sessionCount;

    StagingShare(final String identity) {
        this.identity = identity;
    }
}
