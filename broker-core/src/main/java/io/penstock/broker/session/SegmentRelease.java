package io.penstock.broker.session;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.Session.State;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.deliver.Deliverer;
import io.penstock.broker.session.subscribe.SessionRings;
import java.util.BitSet;

/**
 * Has sessions let go of segments of the shards' windows that are needed for new records. Confined to one I/O agent.
 */
final class SegmentRelease {
    /** How long the log waits for a connection to complete what it has taken of a segment that is needed. */
    private static final long COMPLETION_WAIT_NS = 100_000_000;

    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;
    private final Deliverer deliverer;
    private final SessionRings rings;
    private final boolean[] releasing;
    private final long[] releasingSinceNs;

    SegmentRelease(
            final SessionContext context,
            final SessionTable table,
            final SendSchedule schedule,
            final Deliverer deliverer,
            final SessionRings rings) {
        this.context = context;
        this.table = table;
        this.schedule = schedule;
        this.deliverer = deliverer;
        this.rings = rings;
        releasing = new boolean[context.shards().count()];
        releasingSinceNs = new long[context.shards().count()];
    }

    /** Releases a shard's log before a position. Returns false when it is to be called again. */
    boolean release(final int shard, final long position) {
        if (!releasing[shard]) {
            releasing[shard] = true;
            releasingSinceNs[shard] = context.nowNs();
        }
        context.shards().releasedPosition(shard, position);
        final boolean timeIsUp = context.nowNs() - releasingSinceNs[shard] >= COMPLETION_WAIT_NS;
        boolean released = true;
        final BitSet subscribed = rings.subscribed(shard);
        for (int slot = subscribed.nextSetBit(0); slot >= 0; slot = subscribed.nextSetBit(slot + 1)) {
            final Session session = table.at(slot);
            if (session == null || session.delivery().liveRing(shard) == null) {
                subscribed.clear(slot);
            } else {
                deliverer.release(session);
                session.delivery().inFlight().onCompleted(session.connection().completedPosition());
                final boolean holds = session.delivery().inFlight().isBefore(shard, position);
                if (session.state() == State.CUT_OFF || (holds && timeIsUp)) {
                    context.counters().disconnectedBehind().incrementPlain();
                    context.report(
                            EventKind.CLIENT_TOO_SLOW,
                            session,
                            "has not taken all of what is half sent, and the memory is needed");
                    table.close(session);
                } else {
                    released &= !holds;
                    schedule.add(session);
                }
            }
        }
        releasing[shard] = !released;
        return released;
    }
}
