package io.penstock.protocol.scram;

import java.text.Normalizer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Passwords and names of users in the form that is hashed and compared (SASLprep, RFC 4013): what looks the same is the
 * same, however a keyboard enters it.
 */
public final class PreparedText {
    /** Pairs of first and last: mapped to nothing (RFC 3454, table B.1). */
    private static final int[] NOTHING = {
        0xAD, 0xAD, 0x34F, 0x34F, 0x1806, 0x1806, 0x180B, 0x180D, 0x200C, 0x200D, 0x2060, 0x2060, 0xFE00, 0xFE0F,
        0xFEFF, 0xFEFF
    };

    /** Pairs of first and last: spaces that are not ASCII (table C.1.2). */
    private static final int[] SPACES = {
        0xA0, 0xA0, 0x1680, 0x1680, 0x2000, 0x200B, 0x202F, 0x202F, 0x205F, 0x205F, 0x3000, 0x3000
    };

    /** Pairs of first and last: prohibited (tables C.2 to C.9). */
    private static final int[] PROHIBITED = {
        0x00, 0x1F, 0x7F, 0x9F, 0x340, 0x341, 0x6DD, 0x6DD, 0x70F, 0x70F, 0x180E, 0x180E, 0x200E, 0x200F, 0x2028,
        0x202E, 0x2061, 0x2063, 0x206A, 0x206F, 0x2FF0, 0x2FFB, 0xD800, 0xF8FF, 0xFDD0, 0xFDEF, 0xFFF9, 0xFFFF, 0x1D173,
        0x1D17A, 0xE0001, 0xE0001, 0xE0020, 0xE007F, 0xF0000, 0x10FFFF
    };

    private PreparedText() {}

    /**
     * Prepares a text.
     *
     * @param text as it was entered.
     * @return null when it has characters that nobody can enter reliably: control characters, those for private use,
     *     halves of pairs, those without a meaning.
     */
    public static @Nullable String of(final String text) {
        final StringBuilder mapped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isIn(SPACES, c)) {
                mapped.append(' ');
            } else if (!isIn(NOTHING, c)) {
                mapped.appendCodePoint(c);
            }
        });
        final String normal = Normalizer.normalize(mapped, Normalizer.Form.NFKC);
        final boolean isWrong = normal.codePoints().anyMatch(c -> isIn(PROHIBITED, c) || (c & 0xFFFE) == 0xFFFE);
        return isWrong ? null : normal;
    }

    private static boolean isIn(final int[] ranges, final int c) {
        final int at = Arrays.binarySearch(ranges, c);
        // Between the first and the last of a pair, the place to insert it is odd.
        return at >= 0 || ((-at - 1) & 1) == 1;
    }
}
