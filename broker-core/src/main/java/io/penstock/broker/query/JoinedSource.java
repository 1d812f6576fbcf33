package io.penstock.broker.query;

import io.penstock.broker.query.collect.CollectedRoom;
import io.penstock.broker.query.collect.QueryMemory;
import io.penstock.broker.query.join.JoinTable;
import io.penstock.broker.query.join.PairReader;
import io.penstock.broker.query.join.QueryJoin;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The right topic of a query's join. The worker that comes first reads its records into a table, as far as the client may see
 * them; the others wait for that, and then all of them look for pairs.
 */
final class JoinedSource {
    private final QueryJoin join;
    private final QuerySource source;
    private final QueryPlan plan;
    private final JoinTable table;
    private final CollectedRoom room = new CollectedRoom(QueryMemory.OF_HEAP);
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private final AtomicBoolean isReady = new AtomicBoolean();

    /**
     * Nothing of it is read yet.
     *
     * @param join     of the query.
     * @param source   of the right records.
     * @param plan     of the query.
     * @param countMax records that it may have.
     */
    JoinedSource(final QueryJoin join, final QuerySource source, final QueryPlan plan, final int countMax) {
        this.join = join;
        this.source = source;
        this.plan = plan;
        table = new JoinTable(join, source.topic().format(), countMax);
    }

    /** What makes the pairs. */
    QueryJoin join() {
        return join;
    }

    /** Whether all of it is read. Called from any thread. */
    boolean isReady() {
        return isReady.getAcquire();
    }

    /** Whether the caller is to read it. True once. */
    boolean take() {
        return isTaken.compareAndSet(false, true);
    }

    /** Why a record found no room. */
    QueryFailure failure() {
        return room.isRefused() ? QueryFailure.NO_MEMORY : QueryFailure.TOO_MANY_TO_JOIN;
    }

    /** Nobody looks for pairs any more. */
    void release() {
        table.clear();
        room.release();
    }

    /** How many records may be in pairs. Right once it is ready. */
    int count() {
        return table.count();
    }

    /** Makes what finds pairs, for one worker, once it is ready. */
    PairReader newPairs(final MessageFormat leftFormat, final FieldSet fields) {
        return new PairReader(join, table, leftFormat, source.topic().format(), plan.filter(), fields);
    }

    /** Makes what reads it, for the one worker that took it. */
    Reading newReading(final long nowNs) {
        return new Reading(nowNs);
    }

    /** The reading of the records. Confined to one query agent. */
    final class Reading {
        private final SourceReader reader;
        private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
        private int next;

        private Reading(final long nowNs) {
            reader = SourceReader.ofSide(source, plan, nowNs);
        }

        /**
         * Reads some records.
         *
         * @param limit       of the rows that are looked at.
         * @param lengthLimit of the messages that are read, about, in bytes.
         * @param tally       to which the rows count.
         * @return false when there are more than there may be.
         */
        boolean read(final int limit, final long lengthLimit, final QueryTally tally) {
            final int start = next;
            final int end = (int) Math.min(source.count(), (long) start + limit);
            long length = 0;
            boolean hasRoom = true;
            while (next < end && length < lengthLimit && hasRoom) {
                final int row = source.row(next++);
                final long version =
                        source.store().versionAt(row, source.snapshot().sequence());
                if (version != 0) {
                    reader.wrap(message, version);
                    length += message.capacity();
                    tally.rowsRead++;
                    hasRoom = !reader.isVisible(message) || add(version);
                }
            }
            tally.publish(next - start);
            if (hasRoom && next == source.count() && table.link(limit)) {
                isReady.setRelease(true);
            }
            return hasRoom;
        }

        private boolean add(final long version) {
            return room.ensure((table.count() + 1L) * JoinTable.RECORD_LENGTH) && table.add(message, version);
        }
    }
}
