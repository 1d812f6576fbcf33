package io.penstock.broker.query.join;

import io.penstock.format.MessageFormat;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The right records of a join by the hashes of their values. Only where a record lies is kept, 20 bytes for each: the
 * snapshot that it is of has to stay open. Filled and linked by one query agent; then it does not change, and others may read
 * it once they have been told so.
 *
 * <p>Records with equal hashes come in the order in which they were added.
 */
public final class JoinTable {
    /** There is no such record. */
    public static final int NONE = -1;

    /** Records that a table may have: 160 MiB. */
    public static final int COUNT_MAX = 1 << 23;

    /** Bytes that a record takes, with what is left free, about. */
    public static final int RECORD_LENGTH = 32;

    private static final int COUNT_INITIAL = 256;

    private final JoinValue value;
    private final int countMax;
    private long[] versions = new long[COUNT_INITIAL];
    private int[] hashes = new int[COUNT_INITIAL];
    private int[] nexts = new int[0];

    /** One more than the first record of a hash; 0 for none. Null until links are made. */
    private int @Nullable [] heads;

    private int count;
    private int unlinked;

    /**
     * Makes it without records.
     *
     * @param join     of the records.
     * @param format   of right messages.
     * @param countMax records that there may be.
     */
    public JoinTable(final QueryJoin join, final MessageFormat format, final int countMax) {
        value = new JoinValue(format, join.paths(true));
        this.countMax = countMax;
    }

    /**
     * Adds a record, unless it has no value and is in no pair for that.
     *
     * @param message of it.
     * @param version where it lies, not 0.
     * @return false when there are as many as there may be; then nothing has changed.
     */
    public boolean add(final DirectBuffer message, final long version) {
        if (!value.read(message, 0, message.capacity())) {
            return true;
        }
        if (count == countMax) {
            return false;
        }
        if (count == versions.length) {
            final int capacity = (int) Math.min(countMax, 2L * count);
            versions = Arrays.copyOf(versions, capacity);
            hashes = Arrays.copyOf(hashes, capacity);
        }
        versions[count] = version;
        hashes[count] = value.hash();
        count++;
        return true;
    }

    /**
     * Makes it possible to find records, or goes some way there. No more are added once it has begun.
     *
     * @param limit of the records that are linked now.
     * @return whether all are.
     */
    public boolean link(final int limit) {
        int[] to = heads;
        if (to == null) {
            to = new int[BitUtil.findNextPositivePowerOfTwo(Math.max(1, count))];
            heads = to;
            nexts = new int[count];
            unlinked = count;
        }
        // From the last one on, so that each list begins with the first.
        for (int i = Math.min(limit, unlinked); i > 0; i--) {
            unlinked--;
            final int at = hashes[unlinked] & (to.length - 1);
            nexts[unlinked] = to[at] - 1;
            to[at] = unlinked + 1;
        }
        return unlinked == 0;
    }

    /** Gives its memory up. Nothing is found or added any more; the count stays. */
    public void clear() {
        versions = new long[0];
        hashes = new int[0];
        nexts = new int[0];
        heads = null;
    }

    /** How many records it has, or had when it was cleared. */
    public int count() {
        return count;
    }

    /** Where a record lies. */
    long version(final int index) {
        return versions[index];
    }

    /** The first record with a hash, or {@link #NONE}. */
    int first(final int hash) {
        final int[] from = heads;
        if (from == null) {
            throw new IllegalStateException("join: records are looked for before they are linked");
        }
        return sameHash(from[hash & (from.length - 1)] - 1, hash);
    }

    /** The next record with the same hash, or {@link #NONE}. */
    int next(final int index) {
        return sameHash(nexts[index], hashes[index]);
    }

    private int sameHash(final int from, final int hash) {
        int index = from;
        while (index != NONE && hashes[index] != hash) {
            index = nexts[index];
        }
        return index;
    }
}
