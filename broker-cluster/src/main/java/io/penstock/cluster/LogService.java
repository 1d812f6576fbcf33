package io.penstock.cluster;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.penstock.broker.shard.order.CommandHeader;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** Takes committed commands on one node, and copies each into the ring of its shard. Runs on the service's thread. */
final class LogService implements ClusteredService {
    /** When more time has passed between two looks, the whole process has stood still, and the shard as well. */
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final CommittedRing[] rings;
    private final Greeting greeting;
    private final NodeListener listener;
    private final NanoClock clock;
    private final long stuckNs;

    /** By member, the start of it from which nothing is taken, since its settings are others; a function of the order. */
    private final long[] refused = new long[CommandHeader.MEMBER_MAX + 1];

    private @Nullable IdleStrategy idle;
    private boolean hasGreeting;
    private boolean isLeft;

    /**
     * Makes it for a node.
     *
     * @param rings    by shard.
     * @param greeting of this node.
     * @param listener is notified of the role, and of what makes this node leave.
     * @param clock    for waiting.
     * @param stuckNs  the node leaves when a shard has taken nothing for so long and has no room.
     */
    LogService(
            final CommittedRing[] rings,
            final Greeting greeting,
            final NodeListener listener,
            final NanoClock clock,
            final long stuckNs) {
        this.rings = rings.clone();
        this.greeting = greeting;
        this.listener = listener;
        this.clock = clock;
        this.stuckNs = stuckNs;
    }

    @Override
    public void onStart(final Cluster cluster, final @Nullable Image image) {
        idle = cluster.idleStrategy();
        if (image != null) {
            leave("cluster.directory: has a snapshot of Aeron, which this version cannot start from (use a copy of the"
                    + " directory from before it)");
        }
    }

    @Override
    public void onSessionMessage(
            final @Nullable ClientSession session,
            final long timestamp,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final Header header) {
        if (isLeft) {
            return;
        }
        try {
            onMessage(timestamp, buffer, offset, length);
        } catch (final RuntimeException e) {
            // Aeron would go on with the next one.
            leave("cluster: a command could not be taken from the order: " + e);
        }
    }

    private void onMessage(final long timestamp, final DirectBuffer buffer, final int offset, final int length) {
        if (length < CommandHeader.LENGTH) {
            listener.onBadCommand("shorter than a header: " + length + " bytes");
        } else if (isOfNoMember(buffer, offset)) {
            listener.onBadCommand("of no member: " + CommandHeader.member(buffer, offset));
        } else if (Greeting.isOne(buffer, offset, length)) {
            onGreeting(buffer, offset);
        } else {
            onCommand(timestamp, buffer, offset, length);
        }
    }

    private static boolean isOfNoMember(final DirectBuffer buffer, final int offset) {
        final int member = CommandHeader.member(buffer, offset);
        return member < 0 || member > CommandHeader.MEMBER_MAX;
    }

    private void onGreeting(final DirectBuffer buffer, final int offset) {
        final boolean isFirst = !hasGreeting;
        hasGreeting = true;
        if (greeting.isSame(buffer, offset)) {
            return;
        }
        final int member = CommandHeader.member(buffer, offset);
        if (isFirst) {
            leave("cluster: shardCount, topics, views or limits differ from those that the cluster was begun with by"
                    + " member " + member + " (use the same on all nodes)");
        } else {
            // What it hands over until it sees that may mean something else to the others.
            refused[member] = CommandHeader.incarnation(buffer, offset);
            listener.onBadCommand("member " + member + " has other settings: nothing is taken from this start of it");
        }
    }

    private void onCommand(final long timestamp, final DirectBuffer buffer, final int offset, final int length) {
        if (refused[CommandHeader.member(buffer, offset)] == CommandHeader.incarnation(buffer, offset)) {
            return;
        }
        final int shard = CommandHeader.shard(buffer, offset);
        if (shard < 0 || shard >= rings.length || length > rings[shard].commandLengthMax()) {
            // On every node, as they have the same settings.
            listener.onBadCommand("for shard " + shard + ", of " + length + " bytes");
            return;
        }
        if (!rings[shard].offer(timestamp, buffer, offset, length)) {
            awaitRoom(shard, timestamp, buffer, offset, length);
        }
    }

    private void awaitRoom(
            final int shard, final long timestamp, final DirectBuffer buffer, final int offset, final int length) {
        final IdleStrategy waiting = idle;
        long taken = rings[shard].takenPosition();
        long lastNs = clock.nanoTime();
        long waitedNs = 0;
        while (!rings[shard].offer(timestamp, buffer, offset, length)) {
            if (listener.isClosing()) {
                isLeft = true;
                return;
            }
            final long nowNs = clock.nanoTime();
            waitedNs += Math.min(nowNs - lastNs, STALL_NS);
            lastNs = nowNs;
            if (taken != rings[shard].takenPosition()) {
                taken = rings[shard].takenPosition();
                waitedNs = 0;
            } else if (waitedNs > stuckNs) {
                // Who leads waits for the slowest node.
                leave("cluster: shard " + shard + " has taken nothing for " + TimeUnit.NANOSECONDS.toMillis(stuckNs)
                        + " ms (make room on its disk and start the node again)");
                return;
            }
            if (waiting != null) {
                // It keeps the node's signs of life going.
                waiting.idle();
            }
        }
    }

    private void leave(final String reason) {
        isLeft = true;
        listener.onLeave(reason);
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp) {}

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason reason) {}

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp) {}

    @Override
    public void onTakeSnapshot(final ExclusivePublication publication) {
        // Nothing asks for one so far.
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole) {
        listener.onRole(newRole);
    }

    @Override
    public void onTerminate(final Cluster cluster) {}
}
