package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A place in the log: of each of some shards the sequence of a message, 0 being before the first. Its text is stable: the
 * shards in their order, as in {@code 0:1234,1:99}. Immutable.
 */
public final class Bookmark {
    /** Before the first message of every shard. */
    public static final Bookmark NONE = new Bookmark(new int[0], new long[0]);

    /** No broker has more shards. */
    public static final int SHARD_COUNT_MAX = 4096;

    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern PART = Pattern.compile("([0-9]{1,4}):([0-9]{1,19})");

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
        if (shard < 0 || shard >= SHARD_COUNT_MAX || sequence < 0) {
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
        Bookmark result = NONE;
        if (text.isEmpty()) {
            return result;
        }
        for (final String part : COMMA.split(text, -1)) {
            final var matcher = PART.matcher(part);
            if (!matcher.matches()) {
                throw bad(text);
            }
            try {
                final int shard = Integer.parseInt(matcher.group(1));
                final long sequence = Long.parseLong(matcher.group(2));
                final int index = Arrays.binarySearch(result.shards, shard);
                if (shard >= SHARD_COUNT_MAX) {
                    throw bad(text);
                }
                if (index < 0 || sequence < result.sequences[index]) {
                    result = result.with(shard, sequence);
                }
            } catch (final NumberFormatException e) {
                throw bad(text);
            }
        }
        return result;
    }

    private static PenstockException bad(final String text) {
        return new PenstockException(
                ErrorCode.BAD_TEXT, "bookmark: is none: " + text + " (write shard:sequence, as in 0:1234,1:99)");
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
