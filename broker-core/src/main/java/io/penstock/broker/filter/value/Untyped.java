package io.penstock.broker.filter.value;

import org.agrona.DirectBuffer;

/** Reads the text of formats without types as a boolean. */
public final class Untyped {
    private Untyped() {}

    /** True for {@code true}, {@code Y} and {@code 1}, false for {@code false}, {@code N} and {@code 0}, in any case. */
    static int condition(final Register value) {
        return switch (value.length()) {
            case 1 ->
                switch (value.buffer().getByte(value.offset())) {
                    case 'Y', 'y', '1' -> Truth.TRUE;
                    case 'N', 'n', '0' -> Truth.FALSE;
                    default -> Truth.UNKNOWN;
                };
            case 4 -> isWord(value, "true") ? Truth.TRUE : Truth.UNKNOWN;
            case 5 -> isWord(value, "false") ? Truth.FALSE : Truth.UNKNOWN;
            default -> Truth.UNKNOWN;
        };
    }

    private static boolean isWord(final Register value, final String word) {
        final DirectBuffer buffer = value.buffer();
        for (int i = 0; i < word.length(); i++) {
            if ((buffer.getByte(value.offset() + i) | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
