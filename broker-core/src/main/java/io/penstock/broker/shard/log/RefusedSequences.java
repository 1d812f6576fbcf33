package io.penstock.broker.shard.log;

/**
 * For each shard the sequence of a publisher's message that was refused for want of room. No higher sequence is taken
 * until this message comes again: otherwise it would be taken for a duplicate, and be lost. Confined to one I/O agent.
 */
public final class RefusedSequences {
    private final long[] refused;

    public RefusedSequences(final int shardCount) {
        refused = new long[shardCount];
    }

    /** A message was refused; the first one counts. One without a sequence, 0, holds nothing up. */
    public void add(final int shard, final long sequence) {
        if (refused[shard] == 0) {
            refused[shard] = Math.max(0, sequence);
        }
    }

    /** Whether a message is refused for one before it. When it is that one itself, it holds nothing up any more. */
    public boolean blocks(final int shard, final long sequence) {
        final long first = refused[shard];
        if (sequence == first) {
            refused[shard] = 0;
        }
        return first > 0 && sequence > first;
    }
}
