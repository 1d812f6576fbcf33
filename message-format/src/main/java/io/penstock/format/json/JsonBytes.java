package io.penstock.format.json;

import io.penstock.format.MessageBytes;

/**
 * The bytes of one message. The zeros that are read after the last one are valid nowhere in JSON.
 *
 * <p>The {@code skip} methods rely on a validated message. On other bytes they return some position that is not before
 * the one given, and still read nothing outside.
 */
final class JsonBytes extends MessageBytes {
    int skipSpace(final int position) {
        int i = position;
        int c = at(i);
        while (c <= ' ' && isSpace(c)) {
            c = at(++i);
        }
        return i;
    }

    /** From after a value or a bracket to the next name or element, or to the closing bracket. */
    int skipToItem(final int position) {
        int i = position;
        int c = at(i);
        while (c <= ',' && (c == ',' || isSpace(c))) {
            c = at(++i);
        }
        return i;
    }

    private static boolean isSpace(final int c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    int skipDigits(final int position) {
        int i = position;
        while (true) {
            final long nonDigits = Swar.nonDigits(word(i));
            if (nonDigits != 0) {
                return i + Swar.firstByte(nonDigits);
            }
            i += WORD_LENGTH;
        }
    }

    /** From within a string to its closing quote or the next backslash. */
    int skipToQuoteOrBackslash(final int position) {
        int i = position;
        while (true) {
            final long stops = Swar.textStops(word(i));
            if (stops != 0) {
                return i + Swar.firstByte(stops);
            }
            i += WORD_LENGTH;
        }
    }

    /** From within a string, but not within an escape, to its closing quote. */
    int skipToQuote(final int position) {
        int i = skipToQuoteOrBackslash(position);
        while (at(i) == '\\') {
            i = skipToQuoteOrBackslash(i + 2);
        }
        return i;
    }

    /** From the first byte of a value to after its last one. */
    int skipValue(final int position) {
        final int c = at(position);
        if (c == '"') {
            return skipToQuote(position + 1) + 1;
        }
        return c == '{' || c == '[' ? skipNested(position + 1) : skipScalar(position);
    }

    private int skipScalar(final int position) {
        int i = position;
        while (true) {
            final long ends = Swar.scalarEnds(word(i));
            if (ends != 0) {
                return i + Swar.firstByte(ends);
            }
            i += WORD_LENGTH;
        }
    }

    /** Whether no value can start at a position: there is a comma, a closing bracket, white space or the end. */
    boolean isScalarEnd(final int position) {
        return (Swar.scalarEnds(word(position)) & 0x80) != 0;
    }

    /** From after the opening bracket of an array or object to after the closing one. */
    private int skipNested(final int position) {
        int depth = 1;
        int i = position;
        while (i < length()) {
            final long stops = Swar.quotesAndBrackets(word(i));
            if (stops == 0) {
                i += WORD_LENGTH;
                continue;
            }
            i += Swar.firstByte(stops);
            final int c = at(i++);
            if (c == '"') {
                i = skipToQuote(i) + 1;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (--depth == 0) {
                return i;
            }
        }
        return i;
    }
}
