package io.penstock.format.json;

import io.penstock.format.MessageBytes;

/** Some bytes that stood in a message before. That they stand in one again is seen by comparing words. */
class KnownBytes {
    /** Most bytes that are remembered. */
    static final int LENGTH_MAX = 3 * MessageBytes.WORD_LENGTH;

    private long firstWord;
    private long firstMask;
    private long secondWord;
    private long secondMask;
    private long thirdWord;
    private long thirdMask;
    private int length;

    KnownBytes() {
        forget();
    }

    /** Is none from now on. */
    final void forget() {
        firstMask = 0;
        firstWord = 1; // Under that mask no word is this one.
    }

    /** Whether the bytes stand at a position. */
    final boolean isAt(final JsonBytes bytes, final int position) {
        return (bytes.word(position) & firstMask) == firstWord
                && (secondMask == 0 || (bytes.word(position + MessageBytes.WORD_LENGTH) & secondMask) == secondWord)
                && (length <= 2 * MessageBytes.WORD_LENGTH || isEndAt(bytes, position + 2 * MessageBytes.WORD_LENGTH));
    }

    /** Not within {@link #isAt}, which is compiled into its callers: most are too short for this. */
    private boolean isEndAt(final JsonBytes bytes, final int position) {
        return (bytes.word(position) & thirdMask) == thirdWord;
    }

    /** The count of bytes. */
    final int length() {
        return length;
    }

    /**
     * Learns bytes. When there are more than are remembered, they will not be recognised.
     *
     * @param bytes of the message.
     * @param start of them.
     * @param count of them.
     */
    final void learn(final JsonBytes bytes, final int start, final int count) {
        length = count;
        if (length > LENGTH_MAX) {
            forget();
            return;
        }
        firstMask = mask(0);
        firstWord = bytes.word(start) & firstMask;
        secondMask = mask(1);
        secondWord = bytes.word(start + MessageBytes.WORD_LENGTH) & secondMask;
        thirdMask = mask(2);
        thirdWord = bytes.word(start + 2 * MessageBytes.WORD_LENGTH) & thirdMask;
    }

    private long mask(final int word) {
        return MessageBytes.firstBytes(-1L, Math.max(0, length - word * MessageBytes.WORD_LENGTH));
    }
}
