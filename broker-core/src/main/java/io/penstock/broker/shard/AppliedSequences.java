package io.penstock.broker.shard;

/**
 * The sequences of the messages that one I/O agent submitted last, by the count of its submissions. Written by the sequencer
 * before it counts a message as processed; read by the I/O agent after that.
 */
final class AppliedSequences {
    private static final int COUNT = 8 * 1024;
    private static final int MASK = COUNT - 1;

    private final long[] sequences = new long[COUNT];

    void put(final long submission, final long sequence) {
        sequences[(int) submission & MASK] = sequence;
    }

    /**
     * The sequence of a message that was processed.
     *
     * @param submission of the message.
     * @param submitted  count of submissions so far, which the sequencer may have processed already.
     * @return 0 when it was dropped or refused, or so many came after it that its sequence is no longer known.
     */
    long get(final long submission, final long submitted) {
        return submitted - submission < COUNT ? sequences[(int) submission & MASK] : 0;
    }
}
