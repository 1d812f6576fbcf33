package io.penstock.broker.session.subscribe;

import io.penstock.broker.session.client.ReadyMarks;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.shard.match.DescriptorRing;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Makes the rings of one I/O agent's sessions, at first use: one for each shard a session subscribes to, and one for
 * the replayer, one for the reader of files. Confined to that agent, but for the bits, which writers mark.
 */
public final class SessionRings {
    private final ReadyMarks marks;
    private final int ringLength;
    private final BitSet[] subscribed;

    /**
     * Makes rings.
     *
     * @param marks      that writers set.
     * @param ringLength of each, in bytes.
     * @param shardCount of the broker.
     */
    public SessionRings(final ReadyMarks marks, final int ringLength, final int shardCount) {
        this.marks = marks;
        this.ringLength = ringLength;
        subscribed = new BitSet[shardCount];
        Arrays.setAll(subscribed, shard -> new BitSet());
    }

    /**
     * Slots of sessions that a shard's sequencer writes to, or has written to before they ended. Whoever looks at all of
     * them clears those that have ended.
     *
     * @param shard to whose topics they have subscribed.
     * @return the slots.
     */
    public BitSet subscribed(final int shard) {
        return subscribed[shard];
    }

    DescriptorRing live(final Session session, final int shard) {
        DescriptorRing ring = session.delivery().liveRing(shard);
        if (ring == null) {
            ring = new DescriptorRing(ringLength, marks.agents(), session.slot());
            session.delivery().liveRing(shard, ring);
            subscribed[shard].set(session.slot());
        }
        return ring;
    }

    DescriptorRing files(final Session session) {
        DescriptorRing ring = session.delivery().filesRing();
        if (ring == null) {
            ring = new DescriptorRing(ringLength, marks.files(), session.slot());
            session.delivery().filesRing(ring);
        }
        return ring;
    }

    /** The ring from the replayer. */
    public DescriptorRing replay(final Session session) {
        DescriptorRing ring = session.delivery().replayRing();
        if (ring == null) {
            ring = new DescriptorRing(ringLength, marks.agents(), session.slot());
            session.delivery().replayRing(ring);
        }
        return ring;
    }
}
