package io.penstock.broker.shard.match;

/**
 * What a cursor reads. Immutable.
 *
 * @param sequence          of the first record that may be wanted.
 * @param fromTimeNs        records before this time are left out until one is not; {@link Long#MIN_VALUE} for none.
 * @param toSequence        of the last record that may be wanted; {@link Long#MAX_VALUE} for no end.
 * @param toTimeNs          it ends before the first record that is not before this time; {@link Long#MAX_VALUE} for
 *                          none.
 * @param completedSequence its client is notified once everything up to this sequence was enqueued; negative for not at
 *                          all.
 * @param waitsForDurable   whether records are enqueued only once they are on stable storage.
 * @param attaches          whether the subscription goes live when the cursor has caught up.
 * @param rate              how fast it goes at most.
 * @param lastTimestampNs   timestamp of the record that was enqueued last; 0 for none.
 */
public record Replay(
        long sequence,
        long fromTimeNs,
        long toSequence,
        long toTimeNs,
        long completedSequence,
        boolean waitsForDurable,
        boolean attaches,
        Rate rate,
        long lastTimestampNs) {

    /**
     * For a live subscription whose ring was full.
     *
     * @param sequence of the record that it is to get next.
     * @return a replay that goes live again.
     */
    public static Replay untilLive(final long sequence) {
        return new Replay(sequence, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, -1, false, true, Rate.UNLIMITED, 0);
    }

    /**
     * A live subscription that another one has superseded.
     *
     * @param sequence   of the record that it is to get next.
     * @param toSequence of the last record that may be wanted.
     * @return a replay that ends there.
     */
    public static Replay until(final long sequence, final long toSequence) {
        return new Replay(sequence, Long.MIN_VALUE, toSequence, Long.MAX_VALUE, -1, false, false, Rate.UNLIMITED, 0);
    }

    /**
     * Whether it ends.
     *
     * @return false when it goes on with new records.
     */
    public boolean isRange() {
        return toSequence != Long.MAX_VALUE;
    }
}
