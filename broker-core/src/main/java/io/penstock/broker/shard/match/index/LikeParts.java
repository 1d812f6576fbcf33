package io.penstock.broker.shard.match.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/** What the pattern of a LIKE says of the texts that it matches. */
final class LikeParts {
    /** What texts begin with: everything up to the first sign. */
    final byte[] prefix;

    /** What texts end with: everything after the last sign. */
    final byte[] suffix;

    /** The longest stretch without signs. */
    final byte[] longest;

    /** Signs that stand for any text, or for any code point. */
    final int runCount;

    final int anyCount;

    LikeParts(final String pattern, final @Nullable String escape) {
        final int[] points = pattern.codePoints().toArray();
        final int escapePoint = escape == null ? -1 : escape.codePointAt(0);
        final StringBuilder stretch = new StringBuilder();
        byte[] first = null;
        byte[] found = Predicate.NO_BYTES;
        int runs = 0;
        int anys = 0;
        for (int i = 0; i < points.length; i++) {
            final boolean isEscape = points[i] == escapePoint;
            if (!isEscape && (points[i] == '%' || points[i] == '_')) {
                final byte[] bytes = stretch.toString().getBytes(UTF_8);
                first = first == null ? bytes : first;
                found = bytes.length > found.length ? bytes : found;
                stretch.setLength(0);
                runs += points[i] == '%' ? 1 : 0;
                anys += points[i] == '_' ? 1 : 0;
            } else {
                i += isEscape ? 1 : 0;
                stretch.appendCodePoint(points[i]);
            }
        }
        suffix = stretch.toString().getBytes(UTF_8);
        prefix = first == null ? suffix : first;
        longest = suffix.length > found.length ? suffix : found;
        runCount = runs;
        anyCount = anys;
    }

    boolean hasSigns() {
        return runCount + anyCount > 0;
    }
}
