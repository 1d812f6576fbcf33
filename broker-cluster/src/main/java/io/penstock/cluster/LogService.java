package io.penstock.cluster;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.penstock.broker.shard.order.CommandHeader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/** Takes committed commands on one node, and copies each into the ring of its shard. Runs on the service's thread. */
final class LogService implements ClusteredService {
    private final CommittedRing[] rings;
    private final Greeting greeting;
    private final NodeListener listener;
    private @Nullable IdleStrategy idle;
    private boolean hasGreeting;
    private boolean isLeft;

    /**
     * Makes it for a node.
     *
     * @param rings    by shard.
     * @param greeting of this node.
     * @param listener is notified of the role, and of what makes this node leave.
     */
    LogService(final CommittedRing[] rings, final Greeting greeting, final NodeListener listener) {
        this.rings = rings.clone();
        this.greeting = greeting;
        this.listener = listener;
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
        } else if (Greeting.isOne(buffer, offset, length)) {
            onGreeting(buffer, offset);
        } else {
            onCommand(timestamp, buffer, offset, length);
        }
    }

    private void onGreeting(final DirectBuffer buffer, final int offset) {
        if (!hasGreeting) {
            hasGreeting = true;
            if (!greeting.isSame(buffer, offset)) {
                leave(
                        "cluster: shardCount, topics, views or limits differ from those that the cluster was begun with by"
                                + " member " + CommandHeader.member(buffer, offset) + " (use the same on all nodes)");
            }
        }
    }

    private void onCommand(final long timestamp, final DirectBuffer buffer, final int offset, final int length) {
        final int shard = CommandHeader.shard(buffer, offset);
        if (shard < 0 || shard >= rings.length || length > rings[shard].commandLengthMax()) {
            // On every node, as they have the same settings.
            listener.onBadCommand("for shard " + shard + ", of " + length + " bytes");
            return;
        }
        final IdleStrategy waiting = idle;
        while (!rings[shard].offer(timestamp, buffer, offset, length)) {
            if (listener.isClosing()) {
                isLeft = true;
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
