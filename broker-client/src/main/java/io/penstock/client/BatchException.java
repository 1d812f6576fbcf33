package io.penstock.client;

import java.util.BitSet;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Not all messages of a batch were acknowledged: the broker refused some, there was no room for some, or the connection was
 * lost before it had answered. The cause is the reason of the first one; its error code is that of this exception.
 */
public final class BatchException extends PenstockException {
    private static final long serialVersionUID = 1L;

    private final int count;
    private final BitSet failed;
    private final TreeMap<Integer, PenstockException> reasons;

    /** Takes what it is given. */
    BatchException(final int count, final BitSet failed, final SortedMap<Integer, PenstockException> reasons) {
        this(count, failed, reasons, Objects.requireNonNull(reasons.get(reasons.firstKey())));
    }

    private BatchException(
            final int count,
            final BitSet failed,
            final SortedMap<Integer, PenstockException> reasons,
            final PenstockException first) {
        super(
                first.errorCode(),
                "publishAll: not acknowledged: " + failed.cardinality() + " of " + count
                        + " messages, the first at index " + failed.nextSetBit(0)
                        + " (the cause says why; failed() has the indices)",
                first);
        this.count = count;
        this.failed = failed;
        this.reasons = new TreeMap<>(reasons);
    }

    /**
     * How many messages the batch had.
     *
     * @return the acknowledged ones counted, too.
     */
    public int count() {
        return count;
    }

    /**
     * Which messages were not acknowledged.
     *
     * @return their indices in the batch, from 0, in a new set.
     */
    public BitSet failed() {
        return (BitSet) failed.clone();
    }

    /**
     * Why messages were not acknowledged.
     *
     * @return the reasons of the first 100 of them, by index: a {@link ConnectionException} when nobody knows whether the
     *     message was applied, {@link BackPressureException} when it was not sent.
     */
    public SortedMap<Integer, PenstockException> reasons() {
        return Collections.unmodifiableSortedMap(reasons);
    }
}
