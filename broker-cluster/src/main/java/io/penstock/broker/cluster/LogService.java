package io.penstock.broker.cluster;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/** Takes committed commands on one node and has them applied. Runs on the service's thread. */
final class LogService implements ClusteredService {
    private final AppliedLog applied;
    private final AppliedListener listener;
    private final AtomicReference<Cluster.Role> role = new AtomicReference<>(Cluster.Role.FOLLOWER);
    private final ExpandableArrayBuffer snapshot = new ExpandableArrayBuffer();
    private @Nullable IdleStrategy idle;

    /** Is notified of each command that was applied, or dropped since it was applied before. */
    @FunctionalInterface
    interface AppliedListener {
        void onApplied(AppliedLog log, long position);
    }

    LogService(final AppliedLog applied, final AppliedListener listener) {
        this.applied = applied;
        this.listener = listener;
    }

    /** Of this node. Any thread. */
    Cluster.Role role() {
        return role.get();
    }

    @Override
    public void onStart(final Cluster cluster, final @Nullable Image image) {
        idle = cluster.idleStrategy();
        if (image == null) {
            return;
        }
        while (!image.isEndOfStream()) {
            final int count = image.poll((buffer, offset, length, header) -> applied.read(buffer, offset), 1);
            if (count > 0) {
                break;
            }
            cluster.idleStrategy().idle(count);
        }
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp) {}

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason reason) {}

    @Override
    public void onSessionMessage(
            final @Nullable ClientSession session,
            final long timestamp,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final Header header) {
        applied.apply(buffer, offset, timestamp);
        listener.onApplied(applied, header.position());
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp) {}

    @Override
    public void onTakeSnapshot(final ExclusivePublication publication) {
        final int length = applied.write(snapshot);
        final IdleStrategy waiting = idle;
        while (publication.offer(snapshot, 0, length) < 0) {
            if (waiting != null) {
                waiting.idle();
            }
        }
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole) {
        role.set(newRole);
    }

    @Override
    public void onTerminate(final Cluster cluster) {}
}
