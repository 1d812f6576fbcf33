package io.penstock.format.json;

import org.jspecify.annotations.Nullable;

/** Checks JSON byte by byte, by recursion, and remembers nothing: what the validator is compared with. */
final class NaiveJsonValidator {
    private final byte[] bytes;
    private int i;

    private NaiveJsonValidator(final byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns null when a message is valid, else what is wrong and where, in the validator's words. */
    static @Nullable String validate(final byte[] message) {
        final NaiveJsonValidator naive = new NaiveJsonValidator(message);
        try {
            naive.space();
            naive.value(0);
            naive.space();
            naive.require(naive.i == message.length, naive.i, "expected nothing behind the value");
            return null;
        } catch (final Mistake mistake) {
            final String text = "json: " + mistake.getMessage() + " at byte " + mistake.at;
            return mistake.at < message.length ? text : text + ", where the message ends";
        }
    }

    private int at(final int position) {
        return position < bytes.length ? bytes[position] & 0xFF : -1;
    }

    private void require(final boolean holds, final int position, final String statement) {
        if (!holds) {
            throw new Mistake(position, statement);
        }
    }

    private void space() {
        while (at(i) == ' ' || at(i) == '\t' || at(i) == '\n' || at(i) == '\r') {
            i++;
        }
    }

    private void value(final int depth) {
        switch (at(i)) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> text();
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> literal();
        }
    }

    private void object(final int depth) {
        require(depth < JsonFormat.DEPTH_MAX, i, "nested deeper than 64 levels");
        i++;
        space();
        if (at(i) == '}') {
            i++;
            return;
        }
        while (true) {
            require(at(i) == '"', i, "expected a name in double quotes");
            name();
            space();
            require(at(i) == ':', i, "expected ':'");
            i++;
            space();
            value(depth + 1);
            space();
            if (at(i) == '}') {
                i++;
                return;
            }
            require(at(i) == ',', i, "expected ',' or '}'");
            i++;
            space();
        }
    }

    private void array(final int depth) {
        require(depth < JsonFormat.DEPTH_MAX, i, "nested deeper than 64 levels");
        i++;
        space();
        if (at(i) == ']') {
            i++;
            return;
        }
        while (true) {
            value(depth + 1);
            space();
            if (at(i) == ']') {
                i++;
                return;
            }
            require(at(i) == ',', i, "expected ',' or ']'");
            i++;
            space();
        }
    }

    private void name() {
        final int start = i + 1;
        text();
        int position = start;
        while (position < i - 1) {
            if (at(position) != '\\') {
                position++;
            } else if (at(position + 1) != 'u') {
                position += 2;
            } else {
                final int unit = unit(position);
                final boolean isPair = unit >>> 10 == 0xD800 >>> 10
                        && at(position + 6) == '\\'
                        && at(position + 7) == 'u'
                        && unit(position + 6) >>> 10 == 0xDC00 >>> 10;
                require(unit >>> 11 != 0xD800 >>> 11 || isPair, position, "surrogate without its partner in a name");
                position += isPair ? 12 : 6;
            }
        }
    }

    private int unit(final int position) {
        int unit = 0;
        for (int digit = position + 2; digit < position + 6; digit++) {
            unit = unit << 4 | Character.digit(at(digit), 16);
        }
        return unit;
    }

    private void text() {
        i++;
        while (at(i) != '"') {
            final int c = at(i);
            require(c >= 0, i, "expected '\"'");
            require(c >= ' ', i, "control character in a string (escape it)");
            if (c == '\\') {
                escape();
            } else if (c < 0x80) {
                i++;
            } else {
                character();
            }
        }
        i++;
    }

    private void escape() {
        i++;
        require(at(i) >= 0 && "\"\\/bfnrtu".indexOf(at(i)) >= 0, i, "expected one of \"\\/bfnrtu behind a backslash");
        if (at(i++) == 'u') {
            for (int left = 4; left > 0; left--) {
                require(Character.digit(at(i) < 0x80 ? at(i) : -1, 16) >= 0, i, "expected a hexadecimal digit");
                i++;
            }
        }
    }

    private void character() {
        final int lead = at(i);
        final int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        require(length > 0, i, "not UTF-8");
        int codePoint = lead & (0x7F >>> length);
        for (int k = 1; k < length; k++) {
            require((at(i + k) & ~0x3F) == 0x80, i, "not UTF-8");
            codePoint = codePoint << 6 | (at(i + k) & 0x3F);
        }
        final boolean isShortest = codePoint >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000);
        final boolean isSurrogate = codePoint >>> 11 == 0xD800 >>> 11;
        require(isShortest && !isSurrogate && codePoint <= Character.MAX_CODE_POINT, i, "not UTF-8");
        i += length;
    }

    private void number() {
        final int start = i;
        if (at(i) == '-') {
            i++;
        }
        require(isDigit(), i, "expected a digit");
        if (at(i) == '0') {
            i++;
        } else {
            digits();
        }
        if (at(i) == '.') {
            i++;
            digits();
        }
        if (at(i) == 'e' || at(i) == 'E') {
            i++;
            if (at(i) == '+' || at(i) == '-') {
                i++;
            }
            digits();
        }
        require(i - start <= JsonFormat.NUMBER_LENGTH_MAX, start, "number longer than 512 bytes");
    }

    private void digits() {
        require(isDigit(), i, "expected a digit");
        while (isDigit()) {
            i++;
        }
    }

    private boolean isDigit() {
        return at(i) >= '0' && at(i) <= '9';
    }

    private void literal() {
        for (final String literal : new String[] {"true", "false", "null"}) {
            boolean isThere = true;
            for (int k = 0; k < literal.length(); k++) {
                isThere &= at(i + k) == literal.charAt(k);
            }
            if (isThere) {
                i += literal.length();
                return;
            }
        }
        final boolean isMark = i == 0 && at(0) == 0xEF && at(1) == 0xBB && at(2) == 0xBF;
        require(false, i, isMark ? "expected a value, not a byte order mark" : "expected a value");
    }

    /** A mistake at a position. */
    private static final class Mistake extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int at;

        Mistake(final int at, final String statement) {
            super(statement);
            this.at = at;
        }
    }
}
