package io.penstock.client;

import io.penstock.protocol.BookmarkText;
import io.penstock.protocol.ErrorCode;
import java.util.Arrays;

/**
 * A place in the log: of each of some shards the sequence of a message, 0 being before the first. Its text is stable: the
 * shards in their order, as in {@code 0:1234,1:99}. Immutable.
 */
public final class Bookmark {
    /** Before the first message of every shard. */
    public static final Bookmark NONE = new Bookmark(new int[0], new long[0]);

    private final int[] shards;
    private final long[] sequences;

    private Bookmark(final int[] shards, final long[] sequences) {
        this.shards = shards;
        this.sequences = sequences;
    }

    /**
     * The place of one message.
     *
     * @param shard    of its topic.
     * @param sequence in the shard; 0 for before the first.
     * @return a bookmark of one shard.
     */
    public static Bookmark of(final int shard, final long sequence) {
        if (shard < 0 || shard >= BookmarkText.SHARD_COUNT_MAX || sequence < 0) {
            throw new IllegalArgumentException("bookmark: out of range: " + shard + ":" + sequence);
        }
        return new Bookmark(new int[] {shard}, new long[] {sequence});
    }

    /**
     * Reads bookmarks, with commas between them. Of a shard that comes more than once the lowest sequence counts, so
     * that the text of several bookmarks is the oldest of them.
     *
     * @param text for example {@code 0:1234} or {@code 0:1234,1:99}; empty for {@link #NONE}.
     * @return the bookmark.
     * @throws PenstockException with {@code BAD_TEXT} when the text is no bookmark.
     */
    public static Bookmark parse(final String text) {
        final Bookmark[] result = {NONE};
        final String wrong = BookmarkText.read(text, (shard, sequence) -> {
            final long known = result[0].sequence(shard);
            if (known < 0 || sequence < known) {
                result[0] = result[0].with(shard, sequence);
            }
        });
        if (wrong != null) {
            throw new PenstockException(ErrorCode.BAD_TEXT, wrong);
        }
        return result[0];
    }

    /**
     * Goes on to another message of a shard.
     *
     * @param shard    of the message.
     * @param sequence in the shard; may be lower than the present one.
     * @return the same bookmark with this place in the shard.
     */
    public Bookmark with(final int shard, final long sequence) {
        final Bookmark one = of(shard, sequence);
        final int index = Arrays.binarySearch(shards, shard);
        if (index >= 0) {
            final long[] changed = sequences.clone();
            changed[index] = sequence;
            return new Bookmark(shards, changed);
        }
        final int at = -index - 1;
        final int[] moreShards = Arrays.copyOf(shards, shards.length + 1);
        final long[] moreSequences = Arrays.copyOf(sequences, shards.length + 1);
        System.arraycopy(shards, at, moreShards, at + 1, shards.length - at);
        System.arraycopy(sequences, at, moreSequences, at + 1, shards.length - at);
        moreShards[at] = one.shards[0];
        moreSequences[at] = one.sequences[0];
        return new Bookmark(moreShards, moreSequences);
    }

    /**
     * The place in a shard.
     *
     * @param shard any.
     * @return sequence; -1 when the bookmark says nothing of the shard.
     */
    public long sequence(final int shard) {
        final int index = Arrays.binarySearch(shards, shard);
        return index < 0 ? -1 : sequences[index];
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof Bookmark that
                && Arrays.equals(shards, that.shards)
                && Arrays.equals(sequences, that.sequences);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(shards) + Arrays.hashCode(sequences);
    }

    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < shards.length; i++) {
            text.append(i == 0 ? "" : ",").append(shards[i]).append(':').append(sequences[i]);
        }
        return text.toString();
    }
}
