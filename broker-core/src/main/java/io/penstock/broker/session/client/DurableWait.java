package io.penstock.broker.session.client;

import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.ShardPort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Delays an answer until all its records are on stable storage: up to the end of each journaled shard's log when the
 * answer's snapshots were opened. Confined to one I/O agent.
 */
public final class DurableWait {
    private final ShardPort[] ports;

    /** Where the log has to be durable up to, by shard; 0 where nothing is waited for. */
    private final long[] positions;

    private DurableWait(final ShardPort[] ports, final long[] positions) {
        this.ports = ports;
        this.positions = positions;
    }

    /** A wait for some snapshots that are open, or null when no shard of them is journaled. */
    public static @Nullable DurableWait of(final ShardPort[] ports, final List<QuerySource> sources) {
        final long[] positions = new long[ports.length];
        boolean isAny = false;
        for (final QuerySource source : sources) {
            final ShardPort port = ports[source.topic().shard()];
            if (port.isJournaled()) {
                positions[port.shard()] = port.publishedPosition();
                isAny = true;
            }
        }
        return isAny ? new DurableWait(ports, positions) : null;
    }

    /** Whether everything is on stable storage. */
    public boolean isOver() {
        for (int i = 0; i < positions.length; i++) {
            if (!isDurable(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a log has failed before it was. */
    public boolean isFailed() {
        for (int i = 0; i < positions.length; i++) {
            // The status first: what a log has synced before it failed counts.
            if (ports[i].journalStatus() == JournalStatus.FAILED && !isDurable(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isDurable(final int shard) {
        return ports[shard].durablePosition() >= positions[shard];
    }
}
