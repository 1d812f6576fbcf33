package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.MessageBytes;
import org.agrona.ExpandableArrayBuffer;
import org.jspecify.annotations.Nullable;

/** Compares and hashes strings of messages by their characters, whether they are escaped or not. Confined to one agent. */
final class JsonNames {
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final ExpandableArrayBuffer firstScratch = new ExpandableArrayBuffer();
    private final ExpandableArrayBuffer secondScratch = new ExpandableArrayBuffer();
    private final JsonBytes first = new JsonBytes();
    private final JsonBytes second = new JsonBytes();

    /** Whether a string has escapes. */
    private static boolean isEscaped(final JsonBytes bytes, final int start, final int end) {
        return bytes.skipToQuoteOrBackslash(start) < end;
    }

    /**
     * Hashes a string.
     *
     * @param bytes of the message.
     * @param start of the string, after its quote.
     * @param end   of the string, at its quote.
     * @return the hash.
     */
    int hash(final JsonBytes bytes, final int start, final int end) {
        if (!isEscaped(bytes, start, end)) {
            return plainHash(bytes, start, end);
        }
        final int length = JsonEscapes.decode(bytes, start, end, firstScratch);
        first.wrap(firstScratch, 0, length);
        return plainHash(first, 0, length);
    }

    private static int plainHash(final JsonBytes bytes, final int start, final int end) {
        long hash = (long) end - start;
        int i = start;
        for (; end - i > MessageBytes.WORD_LENGTH; i += MessageBytes.WORD_LENGTH) {
            hash = mix(hash, bytes.word(i));
        }
        hash = mix(hash, MessageBytes.firstBytes(bytes.word(i), end - i));
        return (int) hash;
    }

    private static long mix(final long hash, final long word) {
        final long mixed = (hash ^ word) * HASH_FACTOR;
        return mixed ^ (mixed >>> Integer.SIZE);
    }

    /**
     * Returns whether two strings have the same characters.
     *
     * @param a      bytes of the one's message.
     * @param aStart of the one, after its quote.
     * @param aEnd   of the one, at its quote.
     * @param b      bytes of the other's message.
     * @param bStart of the other, after its quote.
     * @param bEnd   of the other, at its quote.
     * @return whether they are equal.
     */
    boolean areEqual(
            final JsonBytes a, final int aStart, final int aEnd, final JsonBytes b, final int bStart, final int bEnd) {
        if (areSameBytes(a, aStart, aEnd, b, bStart, bEnd)) {
            return true;
        }
        final boolean isFirstEscaped = isEscaped(a, aStart, aEnd);
        final boolean isSecondEscaped = isEscaped(b, bStart, bEnd);
        if (!isFirstEscaped && !isSecondEscaped) {
            return false;
        }
        final int aLength = JsonEscapes.decode(a, aStart, aEnd, firstScratch);
        final int bLength = JsonEscapes.decode(b, bStart, bEnd, secondScratch);
        first.wrap(firstScratch, 0, aLength);
        second.wrap(secondScratch, 0, bLength);
        return areSameBytes(first, 0, aLength, second, 0, bLength);
    }

    /** Whether two stretches are the same byte for byte. */
    static boolean areSameBytes(
            final JsonBytes a, final int aStart, final int aEnd, final JsonBytes b, final int bStart, final int bEnd) {
        final int length = aEnd - aStart;
        if (bEnd - bStart != length) {
            return false;
        }
        int i = 0;
        for (; length - i > MessageBytes.WORD_LENGTH; i += MessageBytes.WORD_LENGTH) {
            if (a.word(aStart + i) != b.word(bStart + i)) {
                return false;
            }
        }
        return MessageBytes.firstBytes(a.word(aStart + i) ^ b.word(bStart + i), length - i) == 0;
    }

    /**
     * Compares two strings by their bytes in UTF-8.
     *
     * @param a      bytes of the one's message.
     * @param aStart of the one, after its quote.
     * @param aEnd   of the one, at its quote.
     * @param b      bytes of the other's message.
     * @param bStart of the other, after its quote.
     * @param bEnd   of the other, at its quote.
     * @return a negative number, 0, or a positive one.
     */
    int compare(
            final JsonBytes a, final int aStart, final int aEnd, final JsonBytes b, final int bStart, final int bEnd) {
        if (!isEscaped(a, aStart, aEnd) && !isEscaped(b, bStart, bEnd)) {
            return compareBytes(a, aStart, aEnd, b, bStart, bEnd);
        }
        final int aLength = JsonEscapes.decode(a, aStart, aEnd, firstScratch);
        final int bLength = JsonEscapes.decode(b, bStart, bEnd, secondScratch);
        first.wrap(firstScratch, 0, aLength);
        second.wrap(secondScratch, 0, bLength);
        return compareBytes(first, 0, aLength, second, 0, bLength);
    }

    private static int compareBytes(
            final JsonBytes a, final int aStart, final int aEnd, final JsonBytes b, final int bStart, final int bEnd) {
        final int length = Math.min(aEnd - aStart, bEnd - bStart);
        for (int i = 0; i < length; i += MessageBytes.WORD_LENGTH) {
            final long aWord = Long.reverseBytes(MessageBytes.firstBytes(a.word(aStart + i), length - i));
            final long bWord = Long.reverseBytes(MessageBytes.firstBytes(b.word(bStart + i), length - i));
            if (aWord != bWord) {
                return Long.compareUnsigned(aWord, bWord);
            }
        }
        return Integer.compare(aEnd - aStart, bEnd - bStart);
    }

    /** The node of a member. */
    @Nullable
    FieldNode member(final FieldNode object, final JsonBytes bytes, final int start, final int end) {
        if (!isEscaped(bytes, start, end)) {
            return plainMember(object, bytes, start, end);
        }
        final int length = JsonEscapes.decode(bytes, start, end, firstScratch);
        first.wrap(firstScratch, 0, length);
        return plainMember(object, first, 0, length);
    }

    private static @Nullable FieldNode plainMember(
            final FieldNode object, final JsonBytes bytes, final int start, final int end) {
        final int length = end - start;
        return object.member(bytes, start, length, MessageBytes.firstBytes(bytes.word(start), length));
    }
}
