package io.penstock.cluster;

import io.aeron.cluster.service.Cluster;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.replica.CommandSender;
import io.penstock.broker.shard.replica.CommandSource;
import io.penstock.broker.shard.replica.Consensus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.AgentTerminationException;
import org.jspecify.annotations.Nullable;

/**
 * What the broker of a node sees of Aeron Cluster: lanes into it, and rings out of it. Lanes and rings are made by the thread
 * that starts the broker; after that any thread.
 */
final class AeronConsensus implements Consensus, NodeListener {
    /** Room for eight of the longest commands, as a ring demands. */
    private static final int LANE_LENGTH =
            BitUtil.findNextPositivePowerOfTwo(8 * (CommandHeader.COMMAND_LENGTH_MAX + 64));

    private static final int RING_LENGTH = LANE_LENGTH;
    private static final int TICK_LANE_LENGTH = 4 * 1024;

    private final int member;
    private final long incarnation;
    private final Consumer<String> onLeave;
    private final AtomicLong generation = new AtomicLong();
    private final AtomicReference<Cluster.Role> role = new AtomicReference<>(Cluster.Role.FOLLOWER);
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final AtomicBoolean isLeaving = new AtomicBoolean();
    private final AtomicReference<@Nullable EventLog> events = new AtomicReference<>();
    private final List<Lane> lanes = new ArrayList<>();
    private final Int2ObjectHashMap<Lane> lanesByAgent = new Int2ObjectHashMap<>();
    private final List<CommittedRing> rings = new ArrayList<>();

    /**
     * Makes it for a start of a node.
     *
     * @param member      number of the node.
     * @param incarnation of the start.
     * @param onLeave     called at most once, with the reason, when the node cannot go on. Any thread; must not block.
     */
    AeronConsensus(final int member, final long incarnation, final Consumer<String> onLeave) {
        this.member = member;
        this.incarnation = incarnation;
        this.onLeave = onLeave;
    }

    /** Where things are reported from now on. */
    void events(final EventLog value) {
        events.set(value);
    }

    /** Ways to the leader. Not changed any more once the broker runs. */
    Lane[] lanes() {
        return lanes.toArray(new Lane[0]);
    }

    /** Ways to the shards, by their numbers. Not changed any more once the broker runs. */
    CommittedRing[] rings() {
        return rings.toArray(new CommittedRing[0]);
    }

    /** Nothing is waited for any more, and nothing reported. */
    void startClosing() {
        isClosing.set(true);
    }

    /** Commands that are on their way may be lost. Called by the ingress agent. */
    void onMaybeLost() {
        generation.incrementAndGet();
        lanes.forEach(Lane::wakeup);
    }

    @Override
    public int member() {
        return member;
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public CommandSender sender(final int ioAgent, final Runnable wakeup) {
        final Lane present = lanesByAgent.get(ioAgent);
        if (present != null) {
            return present;
        }
        final Lane lane = newLane(LANE_LENGTH, wakeup);
        lanesByAgent.put(ioAgent, lane);
        return lane;
    }

    @Override
    public CommandSender tickSender(final int shard) {
        return newLane(TICK_LANE_LENGTH, () -> {});
    }

    private Lane newLane(final int length, final Runnable wakeup) {
        final Lane lane = new Lane(length, generation, wakeup);
        lanes.add(lane);
        return lane;
    }

    @Override
    public CommandSource source(final int shard, final Runnable wakeup) {
        if (shard != rings.size()) {
            throw new IllegalStateException("cluster: shards are not made in their order: " + shard);
        }
        final CommittedRing ring = new CommittedRing(RING_LENGTH, wakeup);
        rings.add(ring);
        return ring;
    }

    @Override
    public boolean isLeading() {
        return role.get() == Cluster.Role.LEADER;
    }

    @Override
    public void onFailed(final int shard, final Throwable reason) {
        onLeave("shard " + shard + " could not apply a command: " + reason);
    }

    @Override
    public void onBadCommand(final int shard, final String wrong) {
        onBadCommand("for shard " + shard + ": " + wrong);
    }

    @Override
    public void onRole(final Cluster.Role value) {
        role.set(value);
        report(value == Cluster.Role.LEADER ? EventKind.CLUSTER_LEADS : EventKind.CLUSTER_FOLLOWS, "member", member);
    }

    @Override
    public void onLeave(final String reason) {
        if (isClosing.get() || !isLeaving.compareAndSet(false, true)) {
            return;
        }
        report(EventKind.CLUSTER_LEFT, "member", member, "reason", reason);
        onLeave.accept(reason);
    }

    @Override
    public void onBadCommand(final String wrong) {
        report(EventKind.CLUSTER_BAD_COMMAND, "wrong", wrong);
    }

    @Override
    public void onError(final Throwable error) {
        if (isClosing.get()) {
            return;
        }
        report(EventKind.CLUSTER_WARNING, "what", String.valueOf(error));
        if (error instanceof AgentTerminationException) {
            onLeave("cluster: a part of the node has ended: " + error);
        }
    }

    @Override
    public boolean isClosing() {
        return isClosing.get();
    }

    private void report(final EventKind kind, final Object... pairs) {
        final EventLog log = events.get();
        if (log != null) {
            log.report(kind, pairs);
        }
    }
}
