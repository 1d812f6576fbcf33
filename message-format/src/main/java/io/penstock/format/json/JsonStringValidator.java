package io.penstock.format.json;

import io.penstock.format.MessageBytes;

/** Checks the strings of JSON: no control characters, known escapes, strict UTF-8. Positions are as {@link JsonMistake} says. */
final class JsonStringValidator {
    private final JsonBytes bytes;
    private final JsonMistake mistake;
    private boolean hasEscape;

    JsonStringValidator(final JsonBytes bytes, final JsonMistake mistake) {
        this.bytes = bytes;
        this.mistake = mistake;
    }

    /** As {@link #text}, but surrogates must have their partner, so that a name is the same for all who read it. */
    int name(final int position) {
        hasEscape = false;
        final int end = text(position);
        if (end < 0 || !hasEscape) {
            return end;
        }
        final int surrogate = JsonEscapes.loneSurrogate(bytes, position, end - 1);
        return surrogate < 0 ? end : mistake.at(surrogate, "surrogate without its partner in a name");
    }

    /** Whether the last name has escapes. */
    boolean hasEscape() {
        return hasEscape;
    }

    /** From after the opening quote to after the closing one. */
    int text(final int position) {
        int i = position;
        while (true) {
            final long word = bytes.word(i);
            final long stops = Swar.plainTextStops(word);
            if (stops == 0) {
                i += MessageBytes.WORD_LENGTH;
                continue;
            }
            final int bits = Long.numberOfTrailingZeros(stops) & -Byte.SIZE;
            final int c = (int) (word >>> bits) & 0xFF;
            i += bits >>> 3;
            if (c == '"') {
                return i + 1;
            }
            i = stop(i, c);
            if (i < 0) {
                return i;
            }
        }
    }

    private int stop(final int position, final int c) {
        if (c >= 0x80) {
            return characters(position);
        }
        if (c == '\\') {
            hasEscape = true;
            return escape(position);
        }
        return position < bytes.length()
                ? mistake.at(position, "control character in a string (escape it)")
                : mistake.at(position, "expected '\"'");
    }

    private int escape(final int position) {
        return switch (bytes.at(position + 1)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> position + 2;
            case 'u' -> codeUnit(position + 2);
            default -> mistake.at(position + 1, "expected one of \"\\/bfnrtu behind a backslash");
        };
    }

    private int codeUnit(final int position) {
        for (int i = position; i < position + 4; i++) {
            if (!isHexadecimal(bytes.at(i))) {
                return mistake.at(i, "expected a hexadecimal digit");
            }
        }
        return position + 4;
    }

    private static boolean isHexadecimal(final int c) {
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
    }

    /** Over characters of more than one byte. */
    private int characters(final int position) {
        int i = position;
        while (bytes.at(i) >= 0x80) {
            final int length = characterLength(bytes.word(i));
            if (length == 0) {
                return mistake.at(i, "not UTF-8");
            }
            i += length;
        }
        return i;
    }

    /**
     * The length in bytes of the character that a word starts with, or 0 when it is none of those in table 3-7 of the
     * Unicode Standard, which has no overlong forms, no surrogates and nothing above U+10FFFF.
     */
    private static int characterLength(final long word) {
        final int lead = (int) word & 0xFF;
        final int second = (int) (word >>> 8) & 0xFF;
        if (lead < 0xE0) {
            return lead >= 0xC2 && isFollowing(second) ? 2 : 0;
        }
        final int third = (int) (word >>> 16) & 0xFF;
        if (lead < 0xF0) {
            final int least = lead == 0xE0 ? 0xA0 : 0x80;
            final int most = lead == 0xED ? 0x9F : 0xBF;
            return second >= least && second <= most && isFollowing(third) ? 3 : 0;
        }
        final int fourth = (int) (word >>> 24) & 0xFF;
        final int least = lead == 0xF0 ? 0x90 : 0x80;
        final int most = lead == 0xF4 ? 0x8F : 0xBF;
        final boolean isPlane = lead <= 0xF4 && second >= least && second <= most;
        return isPlane && isFollowing(third) && isFollowing(fourth) ? 4 : 0;
    }

    private static boolean isFollowing(final int c) {
        return (c & 0xC0) == 0x80;
    }
}
