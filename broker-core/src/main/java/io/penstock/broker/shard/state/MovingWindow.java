package io.penstock.broker.shard.state;

import static io.penstock.broker.shard.state.WindowCells.AFTER_OFFSET;
import static io.penstock.broker.shard.state.WindowCells.BEFORE_OFFSET;
import static io.penstock.broker.shard.state.WindowCells.GROUP_OFFSET;
import static io.penstock.broker.shard.state.WindowCells.HEADERS_LENGTH_OFFSET;
import static io.penstock.broker.shard.state.WindowCells.NONE;

import io.penstock.broker.query.Aggregation;
import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.topic.WindowRule;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a view is about: each is added to the view's groups when it comes, and taken away again, exactly, when
 * it leaves. A message leaves when there are enough newer ones, of all or of its group, when its time is up, or when there is
 * no memory for it: the oldest first. What it costs depends on the message, not on how many there are. Owned by the
 * sequencer.
 */
final class MovingWindow {
    /** Messages that leave before rows are made, beside twice as many as have come. */
    private static final int SETTLE_LIMIT = 64;

    private static final int SCRATCH_LENGTH_INITIAL = 1024;

    private final WindowRule rule;
    private final Aggregation aggregation;
    private final WindowCells cells = new WindowCells();
    private final WindowGroups groups = new WindowGroups(cells);
    private UnsafeBuffer scratch = new UnsafeBuffer(new byte[SCRATCH_LENGTH_INITIAL]);
    private int oldest = NONE;
    private int newest = NONE;
    private long count;
    private long newestTimeNs = Long.MIN_VALUE;
    private int addedCount;
    private long cutCount;
    private boolean isCutReported;
    private long lookCount;

    /**
     * Makes an empty window.
     *
     * @param rule        how many messages it has.
     * @param aggregation that they are added to.
     */
    MovingWindow(final WindowRule rule, final Aggregation aggregation) {
        this.rule = rule;
        this.aggregation = aggregation;
    }

    /** Messages in it. */
    long count() {
        return count;
    }

    /** Bytes of memory that it has for messages. */
    long memoryLength() {
        return cells.memoryLength();
    }

    /** How many messages have left before their time, because there was no memory. */
    long cutCount() {
        return cutCount;
    }

    /** Whether messages have left before their time, and {@link #takeCut} has not said so. */
    boolean isCut() {
        return cutCount > 0 && !isCutReported;
    }

    /** What is to be known of messages that have left before their time: null when there are none, or it was said. */
    @Nullable
    String takeCut() {
        if (!isCut()) {
            return null;
        }
        isCutReported = true;
        return "its window is full: " + rule.lengthMax()
                + " bytes; the oldest messages leave it before their time (raise views.window.lengthMax)";
    }

    /** How many messages have come and gone. */
    long lookCount() {
        return lookCount;
    }

    /** When the oldest message leaves; {@link DueHeap#NEVER} when time does not count, or there is none. */
    long dueNs() {
        return oldest == NONE || rule.timeNs() == 0 ? DueHeap.NEVER : cells.time(oldest) + rule.timeNs();
    }

    /**
     * Adds a message, and lets those go for which there is no room any more.
     *
     * @param buffer        that holds it, and its headers after it.
     * @param offset        of its first byte.
     * @param length        in bytes, without the headers.
     * @param headersLength in bytes.
     * @param timestampNs   when the broker took it. One that is before that of an earlier message counts as that one.
     * @return false when it would make more groups than there may be; it is not added then.
     */
    boolean add(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int headersLength,
            final long timestampNs) {
        newestTimeNs = Math.max(newestTimeNs, timestampNs);
        final int wholeLength = length + headersLength;
        if (!makeRoom(WindowCells.lengthOf(wholeLength))) {
            cutCount++;
            return true;
        }
        aggregation.headers(buffer, offset + length, headersLength);
        if (!aggregation.add(buffer, offset, length)) {
            return false;
        }
        lookCount++;
        addedCount++;
        append(cells.put(buffer, offset, wholeLength), headersLength);
        if (rule.messageCount() > 0 && count > rule.messageCount()) {
            remove(oldest);
        }
        return true;
    }

    /** Lets messages go until there is room. Returns false when there is none even then. */
    private boolean makeRoom(final long length) {
        while (oldest != NONE && cells.usedLength() + length > rule.lengthMax()) {
            if (dueNs() > newestTimeNs) {
                cutCount++;
            }
            remove(oldest);
        }
        return length <= rule.lengthMax();
    }

    private void append(final int entry, final int headersLength) {
        cells.time(entry, newestTimeNs);
        cells.putInt(entry, HEADERS_LENGTH_OFFSET, headersLength);
        cells.putInt(entry, BEFORE_OFFSET, newest);
        cells.putInt(entry, AFTER_OFFSET, NONE);
        if (newest == NONE) {
            oldest = entry;
        } else {
            cells.putInt(newest, AFTER_OFFSET, entry);
        }
        newest = entry;
        count++;
        if (rule.groupMessageCount() > 0) {
            // 0 is no mark.
            final int mark = aggregation.lastMark();
            final int group = mark == 0 ? groups.make() : mark - 1;
            aggregation.lastMark(group + 1);
            groups.add(group, entry);
            if (groups.count(group) > rule.groupMessageCount()) {
                remove(groups.oldest(group));
            }
        }
    }

    /**
     * Lets messages go whose time is up, the oldest first.
     *
     * @param nowNs when it is.
     * @param limit count of messages.
     * @return how many there were.
     */
    int evict(final long nowNs, final int limit) {
        int evicted = 0;
        while (evicted < limit && dueNs() <= nowNs) {
            remove(oldest);
            evicted++;
        }
        return evicted;
    }

    /**
     * Lets messages go before rows are made. When more are due than have come for long, rows wait until the next duty
     * cycles have let them go, so that each row is right at its time.
     *
     * @param nowNs when it is.
     * @return whether rows may be made.
     */
    boolean settle(final long nowNs) {
        evict(nowNs, SETTLE_LIMIT + 2 * addedCount);
        addedCount = 0;
        return dueNs() > nowNs;
    }

    /** Removes a message that is the oldest of its group, if that counts. */
    private void remove(final int entry) {
        lookCount++;
        final int wholeLength = cells.length(entry);
        if (scratch.capacity() < wholeLength) {
            scratch = new UnsafeBuffer(new byte[Math.max(wholeLength, 2 * scratch.capacity())]);
        }
        cells.read(entry, scratch);
        final int headersLength = cells.getInt(entry, HEADERS_LENGTH_OFFSET);
        aggregation.headers(scratch, wholeLength - headersLength, headersLength);
        aggregation.remove(scratch, 0, wholeLength - headersLength);
        if (rule.groupMessageCount() > 0 && !groups.removeOldest(cells.getInt(entry, GROUP_OFFSET))) {
            aggregation.lastMark(0);
        }
        unlink(cells.getInt(entry, BEFORE_OFFSET), cells.getInt(entry, AFTER_OFFSET));
        cells.free(entry);
        count--;
    }

    private void unlink(final int before, final int after) {
        if (before == NONE) {
            oldest = after;
        } else {
            cells.putInt(before, AFTER_OFFSET, after);
        }
        if (after == NONE) {
            newest = before;
        } else {
            cells.putInt(after, BEFORE_OFFSET, before);
        }
    }
}
