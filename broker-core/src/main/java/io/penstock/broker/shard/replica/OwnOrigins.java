package io.penstock.broker.shard.replica;

import org.agrona.collections.ArrayUtil;
import org.jspecify.annotations.Nullable;

/** The origins of this node in its present start, one for each I/O agent. Owned by the sequencer. */
final class OwnOrigins {
    private final int member;
    private final long incarnation;
    private @Nullable OriginProgress[] agents = new OriginProgress[0];

    /** None yet. */
    OwnOrigins(final int member, final long incarnation) {
        this.member = member;
        this.incarnation = incarnation;
    }

    /** Adds an agent. Before the sequencer starts. */
    void add(final int ioAgent, final OriginProgress progress) {
        agents = ArrayUtil.ensureCapacity(agents, ioAgent + 1);
        agents[ioAgent] = progress;
    }

    /** The agent that has handed a command over; null when it is none of this node now. */
    @Nullable
    OriginProgress find(final int ofMember, final int ioAgent, final long ofIncarnation) {
        return ofMember == member && ofIncarnation == incarnation && ioAgent < agents.length ? agents[ioAgent] : null;
    }

    int count() {
        return agents.length;
    }

    @Nullable
    OriginProgress get(final int ioAgent) {
        return agents[ioAgent];
    }
}
