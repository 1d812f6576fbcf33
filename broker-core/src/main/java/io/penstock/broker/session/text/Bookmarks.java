package io.penstock.broker.session.text;

import io.penstock.protocol.BookmarkText;
import io.penstock.protocol.ErrorCode;
import java.util.Arrays;

/** Reads the bookmarks in commands. */
public final class Bookmarks {
    private Bookmarks() {}

    /**
     * The sequences that a bookmark says, by shard; negative where it says nothing.
     *
     * @throws Refusal when it is none, or of other shards than there are.
     */
    public static long[] sequences(final String text, final int shardCount) {
        final long[] sequences = new long[shardCount];
        Arrays.fill(sequences, -1);
        final boolean[] isUnknown = new boolean[1];
        final String wrong = BookmarkText.read(text, (shard, sequence) -> {
            if (shard >= sequences.length) {
                isUnknown[0] = true;
            } else if (sequences[shard] < 0 || sequence < sequences[shard]) {
                sequences[shard] = sequence;
            }
        });
        if (wrong != null || text.isEmpty()) {
            throw new Refusal(
                    ErrorCode.BAD_TEXT, wrong == null ? "bookmark: empty (write it as in 0:1234,1:99)" : wrong);
        }
        if (isUnknown[0]) {
            throw new Refusal(
                    ErrorCode.BOOKMARK_NOT_FOUND,
                    "bookmark: " + text + ": the broker has " + sequences.length
                            + (sequences.length == 1 ? " shard" : " shards"));
        }
        return sequences;
    }
}
