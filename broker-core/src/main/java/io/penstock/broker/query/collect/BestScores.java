package io.penstock.broker.query.collect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The greatest of some numbers, as many as are wanted. Confined to one agent. */
public final class BestScores {
    /** The scale of numbers, of whichever field. */
    static final Object NUMBERS = "numbers";

    private static final int CAPACITY_INITIAL = 16;

    private final int countMax;
    private final CommonBound common;

    /** What others know, as last seen. */
    private double seen = Double.NEGATIVE_INFINITY;

    /** The least one is the first; one at i is not greater than those at 2 i + 1 and 2 i + 2. */
    private double[] scores;

    private int count;
    private @Nullable Object scale;

    /** Whose rows were asked about last, and the last of these. */
    private @Nullable Object source;

    private long lastRow = -1;

    /**
     * Makes it, without any.
     *
     * @param countMax how many are wanted, at least 1.
     * @param common   what all workers of the query know.
     */
    public BestScores(final int countMax, final CommonBound common) {
        this.countMax = countMax;
        this.common = common;
        scores = new double[Math.min(countMax, CAPACITY_INITIAL)];
    }

    /**
     * Whether scores are on a scale, which is that of the first one who asks.
     *
     * @param of the scale: numbers, or a column of texts.
     */
    boolean claim(final Object of) {
        if (scale == null) {
            scale = of;
        }
        return of.equals(scale);
    }

    /**
     * Rows of a source come from one on.
     *
     * @return whether all rows so far come before these.
     */
    boolean advance(final Object of, final long row) {
        final boolean isNext = isNext(of, row);
        lastRow = Math.max(of.equals(source) || source == null ? lastRow : Long.MAX_VALUE, row);
        source = of;
        return isNext;
    }

    /** Whether all rows so far come before those of a source from one on. */
    boolean isNext(final Object of, final long row) {
        return source == null || (of.equals(source) && row > lastRow);
    }

    /** Another block comes: takes over what other workers know of numbers, and tells them. */
    void share() {
        if (NUMBERS.equals(scale)) {
            if (count == countMax) {
                common.raise(scores[0]);
            }
            seen = common.score();
        }
    }

    /** Whether scores below some are known not to be among the greatest: there are as many as are wanted, here or at another worker. */
    boolean isBounded() {
        return count == countMax || seen > Double.NEGATIVE_INFINITY;
    }

    /** Scores below this are not among the greatest. */
    double bound() {
        return count == countMax ? Math.max(scores[0], seen) : seen;
    }

    /** Whether there are as many as are wanted without a score, all of them as great or greater. */
    boolean isFullWithout(final double score) {
        return count == countMax && score <= scores[0];
    }

    /** Adds one, if it is among the greatest. */
    void add(final double score) {
        if (count < countMax) {
            if (count == scores.length) {
                scores = Arrays.copyOf(scores, Math.min(countMax, 2 * count));
            }
            scores[count] = score;
            up(count);
            count++;
        } else if (score > scores[0]) {
            scores[0] = score;
            down();
        }
    }

    private void up(final int from) {
        int at = from;
        final double score = scores[from];
        while (at > 0 && scores[(at - 1) / 2] > score) {
            scores[at] = scores[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        scores[at] = score;
    }

    private void down() {
        final double score = scores[0];
        int at = 0;
        while (2 * at + 1 < count) {
            int child = 2 * at + 1;
            if (child + 1 < count && scores[child + 1] < scores[child]) {
                child++;
            }
            if (scores[child] >= score) {
                break;
            }
            scores[at] = scores[child];
            at = child;
        }
        scores[at] = score;
    }
}
