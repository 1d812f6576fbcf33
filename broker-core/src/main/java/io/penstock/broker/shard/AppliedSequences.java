package io.penstock.broker.shard;

/**
 * The sequences of the messages that one I/O agent submitted last, by the count of its submissions. Written by the sequencer
 * before it counts a message as processed; read by the I/O agent after that.
 */
public final class AppliedSequences {
    private static final int COUNT = 8 * 1024;
    private static final int MASK = COUNT - 1;

    private final long[] sequences = new long[COUNT];

    /** None yet. */
    public AppliedSequences() {}

    /**
     * A message was applied. Called by the sequencer.
     *
     * @param submission of the message.
     * @param sequence   that it has; 0 when it was dropped or refused.
     */
    public void put(final long submission, final long sequence) {
        sequences[(int) submission & MASK] = sequence;
    }

    /**
     * The sequence of a message that was processed.
     *
     * @param submission of the message.
     * @param submitted  count of submissions so far, which the sequencer may have processed already.
     * @return 0 when it was dropped or refused, or so many came after it that its sequence is no longer known.
     */
    public long get(final long submission, final long submitted) {
        return submitted - submission < COUNT ? sequences[(int) submission & MASK] : 0;
    }
}
