package io.penstock.broker.filter.value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The pattern of a LIKE: percent signs cut it into segments, each of a fixed count of code points. The first and the
 * last are compared in place, those between are looked for from left to right, each in linear time, so that no pattern
 * makes matching slower than a constant times the text's length. A text that is too long to be searched is unknown.
 */
public final class LikePattern implements ValueTest {
    /** Stands for any one code point. */
    static final int ANY = -1;

    private static final int ANY_RUN = -2;

    private final LikeSegment first;
    private final LikeSegment[] middle;
    private final @Nullable LikeSegment last;
    private final Work work;

    /** Of the widest segment that is looked for. */
    private final int width;

    private LikePattern(final List<LikeSegment> segments, final Work work) {
        this.work = work;
        first = segments.get(0);
        last = segments.size() > 1 ? segments.get(segments.size() - 1) : null;
        middle = segments.subList(1, Math.max(1, segments.size() - 1)).stream()
                .filter(segment -> !segment.isEmpty())
                .toArray(LikeSegment[]::new);
        width = Arrays.stream(middle).mapToInt(LikeSegment::width).max().orElse(0);
    }

    /**
     * Compiles a pattern that {@link #mistake} has found none in.
     *
     * @param pattern with its signs.
     * @param escape  character before signs that stand for themselves; null for none.
     * @param work    of the evaluations that it is a part of.
     */
    public static LikePattern of(final String pattern, final @Nullable String escape, final Work work) {
        final int[] signs = signs(pattern, escape);
        final List<LikeSegment> segments = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= signs.length; i++) {
            if (i == signs.length || signs[i] == ANY_RUN) {
                segments.add(segment(Arrays.copyOfRange(signs, start, i)));
                start = i + 1;
            }
        }
        return new LikePattern(segments, work);
    }

    private static LikeSegment segment(final int[] signs) {
        for (final int sign : signs) {
            if (sign == ANY) {
                return new MaskedSegment(signs);
            }
        }
        return new PlainSegment(new String(signs, 0, signs.length).getBytes(StandardCharsets.UTF_8));
    }

    private static int[] signs(final String pattern, final @Nullable String escape) {
        final int[] points = pattern.codePoints().toArray();
        final int escapePoint = escape == null ? -1 : escape.codePointAt(0);
        final int[] signs = new int[points.length];
        int count = 0;
        for (int i = 0; i < points.length; i++) {
            if (points[i] == escapePoint) {
                signs[count++] = points[++i];
            } else {
                signs[count++] = points[i] == '%' ? ANY_RUN : points[i] == '_' ? ANY : points[i];
            }
        }
        return Arrays.copyOf(signs, count);
    }

    /**
     * Returns what is wrong with a pattern, or null: the escape character stands only before a percent sign, an
     * underscore or itself.
     */
    public static @Nullable String mistake(final String pattern, final @Nullable String escape) {
        if (escape == null) {
            return null;
        }
        final int escapePoint = escape.codePointAt(0);
        final int[] points = pattern.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            if (points[i] == escapePoint) {
                i++;
                if (i == points.length || (points[i] != '%' && points[i] != '_' && points[i] != escapePoint)) {
                    return "the escape character stands only before %, _ or itself";
                }
            }
        }
        return null;
    }

    @Override
    public int truth(final Register value) {
        if (value.isUnknown()) {
            return Truth.UNKNOWN;
        }
        if (!value.isText()) {
            return Truth.FALSE;
        }
        // What is compared in place costs no more than the pattern is long.
        return middle.length == 0 || work.takePoints((long) width * value.length())
                ? Truth.of(matches(value.buffer(), value.offset(), value.offset() + value.length()))
                : Truth.UNKNOWN;
    }

    public boolean matches(final DirectBuffer text, final int start, final int end) {
        int at = first.matchAt(text, start, end);
        if (last == null || at < 0) {
            return at == end;
        }
        final int lastStart = last.startAtEnd(text, at, end);
        if (lastStart < 0) {
            return false;
        }
        for (final LikeSegment segment : middle) {
            at = segment.find(text, at, lastStart);
            if (at < 0) {
                return false;
            }
        }
        return true;
    }
}
