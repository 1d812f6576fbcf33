package io.penstock.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The text of bookmarks: {@code shard:sequence}, with commas between them, as in {@code 0:1234,1:99}. Of a shard that comes
 * more than once the lowest sequence counts, so that the text of several bookmarks is the oldest of them.
 */
public final class BookmarkText {
    /** No broker has more shards. */
    public static final int SHARD_COUNT_MAX = 4096;

    private static final int SEQUENCE_DIGITS_MAX = 18;

    private BookmarkText() {}

    /** Takes the places that a text names. */
    @FunctionalInterface
    public interface Handler {
        /**
         * One place.
         *
         * @param shard    below {@link #SHARD_COUNT_MAX}.
         * @param sequence not below 0.
         */
        void onPlace(int shard, long sequence);
    }

    /**
     * Reads a text.
     *
     * @param text    of bookmarks; empty for none.
     * @param handler notified of each place, before it is known whether the rest is right.
     * @return what is wrong with the text, or null.
     */
    public static @Nullable String read(final String text, final Handler handler) {
        int at = 0;
        while (at < text.length()) {
            final int colon = text.indexOf(':', at);
            final int comma = text.indexOf(',', at);
            final int end = comma < 0 ? text.length() : comma;
            final long shard = colon < 0 || colon > end ? -1 : number(text, at, colon);
            final long sequence = shard < 0 ? -1 : number(text, colon + 1, end);
            if (shard < 0 || shard >= SHARD_COUNT_MAX || sequence < 0 || end == text.length() - 1) {
                return "bookmark: none at " + at + ": " + text + " (write shard:sequence, as in 0:1234,1:99)";
            }
            handler.onPlace((int) shard, sequence);
            at = end + 1;
        }
        return null;
    }

    private static long number(final String text, final int start, final int end) {
        if (start == end || end - start > SEQUENCE_DIGITS_MAX) {
            return -1;
        }
        long value = 0;
        for (int i = start; i < end; i++) {
            final int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
