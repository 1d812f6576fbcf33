package io.penstock.broker.shard.feed;

import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.match.DescriptorRing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The cursors of one client over one shard. Cursors that are near one another read the log together: each record is
 * read once, and shown to all of them. A cursor that is far from others reads by itself until it reaches them. All
 * cursors write to one ring; when it is full, none of them goes on. Confined to the replayer.
 */
final class CursorGroup {
    /** How much of the log each cursor reads before others have their turn, in bytes. */
    private static final long READ_LENGTH = 64 * 1024;

    /** How much cursors that read together read at most, in bytes. */
    private static final long PASS_LENGTH_MAX = 4 * READ_LENGTH;

    /** A cursor that is no further ahead of others than this waits for them, in bytes. */
    private static final long JOIN_DISTANCE = PASS_LENGTH_MAX;

    private static final Comparator<Cursor> BY_PLACE = Comparator.comparingLong(Cursor::next);

    private final DescriptorRing ring;
    private final int shard;
    private final LogReader reader;
    private final CursorFilters filters = new CursorFilters();

    /** The cursors in the order of their positions, the last one first. */
    private final ArrayList<Cursor> cursors = new ArrayList<>();

    /** Where the turn of the next ones begins, as those before have filled the ring. */
    private long turn;

    private boolean isFull;
    private boolean hasMore;
    private long lengthRead;

    /**
     * @param ring   to the client's I/O agent.
     * @param reader of the shard's log.
     */
    CursorGroup(final DescriptorRing ring, final int shard, final LogReader reader) {
        this.ring = ring;
        this.shard = shard;
        this.reader = reader;
    }

    DescriptorRing ring() {
        return ring;
    }

    int shard() {
        return shard;
    }

    CursorFilters filters() {
        return filters;
    }

    List<Cursor> cursors() {
        return cursors;
    }

    boolean isEmpty() {
        return cursors.isEmpty();
    }

    void add(final Cursor cursor) {
        cursors.add(cursor);
    }

    void remove(final Cursor cursor) {
        cursors.remove(cursor);
        cursor.close();
    }

    /** Lets each of its cursors read some of the log. Returns the bytes read. */
    long read(final long published, final long durable, final long nowNs) {
        lengthRead = 0;
        isFull = false;
        hasMore = false;
        sort();
        final int count = cursors.size();
        for (int i = 0; i < count; i++) {
            final Cursor cursor = cursors.get(i);
            isFull |= !cursor.begin(cursor.waitsForDurable() ? Math.min(published, durable) : published);
        }
        final int first = firstInTurn();
        readFrom(first, count, published, nowNs);
        readFrom(0, first, published, nowNs);
        if (!isFull) {
            turn = 0;
        }
        for (int i = 0; i < count; i++) {
            cursors.get(i).finish();
        }
        return lengthRead;
    }

    /** Whether some stopped where others had their turn, or the ring was full, when it was read last. */
    boolean hasMore() {
        return hasMore;
    }

    private int firstInTurn() {
        for (int i = 0; i < cursors.size(); i++) {
            if (cursors.get(i).next() >= turn) {
                return i;
            }
        }
        return 0;
    }

    private void readFrom(final int from, final int to, final long published, final long nowNs) {
        int first = from;
        while (first < to && !isFull) {
            first = pass(first, to, published, nowNs);
        }
    }

    /** Reads for a cursor, and for those that it comes to. Returns the first one that is not to wait for them. */
    private int pass(final int first, final int to, final long published, final long nowNs) {
        final Cursor opener = cursors.get(first);
        if (!opener.join()) {
            return first + 1;
        }
        final long start = opener.next();
        reader.seek(start);
        long end = start + READ_LENGTH;
        int joined = first + 1;
        int reading = 1;
        while (reading > 0 && !isFull && reader.next(Math.min(end, published))) {
            while (joined < to && cursors.get(joined).next() <= reader.recordPosition()) {
                if (cursors.get(joined++).join()) {
                    reading++;
                    end = Math.min(end + READ_LENGTH, start + PASS_LENGTH_MAX);
                }
            }
            reading -= show(first, joined, nowNs);
        }
        lengthRead += (isFull || reading == 0 ? reader.recordPosition() : reader.position()) - start;
        hasMore |= isFull || (reading > 0 && reader.position() >= end);
        if (isFull) {
            turn = reader.position() + JOIN_DISTANCE;
        }
        return leave(first, joined) && reader.position() >= end ? firstApart(joined, to) : joined;
    }

    /** Shows the present record to those that read. Returns how many stay before it. */
    private int show(final int first, final int joined, final long nowNs) {
        int stayed = 0;
        for (int i = first; i < joined; i++) {
            final Cursor cursor = cursors.get(i);
            if (cursor.isReading()) {
                final Cursor.Step step = isFull ? Cursor.Step.FULL : cursor.onRecord(reader, nowNs);
                if (step != Cursor.Step.ON) {
                    cursor.leave(reader.recordPosition());
                    isFull |= step == Cursor.Step.FULL;
                    stayed++;
                }
            }
        }
        return stayed;
    }

    /** The pass ends for those that still read. Returns whether one of them goes on as fast as it can. */
    private boolean leave(final int first, final int joined) {
        boolean isGoingOn = false;
        for (int i = first; i < joined; i++) {
            final Cursor cursor = cursors.get(i);
            if (cursor.isReading()) {
                cursor.leave(reader.position());
                isGoingOn |= !cursor.isLimited();
            }
        }
        return isGoingOn;
    }

    /** Those that are near wait until a pass has come to them, so that there is one pass then. */
    private int firstApart(final int joined, final int to) {
        int apart = joined;
        while (apart < to
                && cursors.get(apart).next() - reader.position() <= JOIN_DISTANCE
                && !cursors.get(apart).isAttaching()) {
            apart++;
        }
        return apart;
    }

    private void sort() {
        for (int i = 1; i < cursors.size(); i++) {
            if (cursors.get(i - 1).next() > cursors.get(i).next()) {
                cursors.sort(BY_PLACE);
                return;
            }
        }
    }
}
