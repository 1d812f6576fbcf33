package io.penstock.broker.shard.feed;

import io.penstock.broker.journal.PageHolder;
import io.penstock.broker.shard.match.DescriptorRing;

/** A client that is sent pages of files. Confined to the file replayer. */
final class FileClient extends PageHolder {
    /** Pages of one client at a time, so that one alone cannot have all of them. */
    private static final int PAGE_COUNT_MAX = 4;

    private final long sessionId;
    private final DescriptorRing ring;

    FileClient(final long sessionId, final DescriptorRing ring) {
        this.sessionId = sessionId;
        this.ring = ring;
    }

    long sessionId() {
        return sessionId;
    }

    DescriptorRing ring() {
        return ring;
    }

    boolean mayTakePage() {
        return pageCount() < PAGE_COUNT_MAX;
    }
}
