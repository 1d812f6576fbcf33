package io.penstock.broker.session;

import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.shard.match.DescriptorRing;

/**
 * Makes the rings of one I/O agent's sessions, at first use: one for each shard a session subscribes to, and one for
 * the replayer, one for the reader of files. Confined to that agent, but for the bits, which writers mark.
 */
final class SessionRings {
    private final ReadyBits ready;
    private final ReadyBits filesReady;
    private final int ringLength;

    SessionRings(final ReadyBits ready, final ReadyBits filesReady, final int ringLength) {
        this.ready = ready;
        this.filesReady = filesReady;
        this.ringLength = ringLength;
    }

    DescriptorRing live(final Session session, final int shard) {
        DescriptorRing ring = session.liveRings[shard];
        if (ring == null) {
            ring = new DescriptorRing(ringLength, ready, session.slot);
            session.liveRings[shard] = ring;
        }
        return ring;
    }

    DescriptorRing files(final Session session) {
        DescriptorRing ring = session.filesRing;
        if (ring == null) {
            ring = new DescriptorRing(ringLength, filesReady, session.slot);
            session.filesRing = ring;
        }
        return ring;
    }

    DescriptorRing replay(final Session session) {
        DescriptorRing ring = session.replayRing;
        if (ring == null) {
            ring = new DescriptorRing(ringLength, ready, session.slot);
            session.replayRing = ring;
        }
        return ring;
    }
}
