package io.penstock.format.json;

import io.penstock.format.MessageBytes;

/**
 * Some bytes that stood in a message before. That they stand in one again is seen by comparing words: the first, the last, and
 * one between them. It is small, since there are many of them, and each is read for each message.
 */
class KnownBytes {
    /** Most bytes that are remembered. */
    static final int LENGTH_MAX = 3 * MessageBytes.WORD_LENGTH;

    private long firstWord;
    private long secondWord;
    /** Of the last eight bytes, when there are more than eight. */
    private long lastWord;

    private int length;

    KnownBytes() {
        forget();
    }

    /** Is none from now on. */
    final void forget() {
        length = 0;
        firstWord = 1; // No word without bytes is this one.
    }

    /** Whether the bytes stand at a position. */
    final boolean isAt(final JsonBytes bytes, final int position) {
        return MessageBytes.firstBytes(bytes.word(position), length) == firstWord && isRestAt(bytes, position);
    }

    /** Whether all behind the first word stands where the first word stands at a position. */
    final boolean isRestAt(final JsonBytes bytes, final int position) {
        return length <= MessageBytes.WORD_LENGTH
                || (bytes.word(position + length - MessageBytes.WORD_LENGTH) == lastWord
                        && (length <= 2 * MessageBytes.WORD_LENGTH || isMiddleAt(bytes, position)));
    }

    /** Not within {@link #isRestAt}, which is compiled into its callers: most are too short for this. */
    private boolean isMiddleAt(final JsonBytes bytes, final int position) {
        return length <= LENGTH_MAX && bytes.word(position + MessageBytes.WORD_LENGTH) == secondWord;
    }

    /** The first word, with zeros where there are fewer bytes. */
    final long firstWord() {
        return firstWord;
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
        firstWord = MessageBytes.firstBytes(bytes.word(start), count);
        if (count > MessageBytes.WORD_LENGTH) {
            secondWord = bytes.word(start + MessageBytes.WORD_LENGTH);
            lastWord = bytes.word(start + count - MessageBytes.WORD_LENGTH);
        }
    }
}
