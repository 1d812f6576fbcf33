package io.penstock.bench.orb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The rounds of one cell of a subject, and those of the subject that it is compared with. */
final class CellFigures {
    private static final double UPPER_QUARTILE = 0.75;
    private static final double FAILED_MAX = 0.01;

    private final Cell cell;
    private final String name;
    private final @Nullable CellFigures beside;
    private final List<Measured> rounds = new ArrayList<>();
    private @Nullable String failure;

    /**
     * No rounds yet.
     *
     * @param cell   what is measured.
     * @param name   of what is measured.
     * @param beside the same cell of what it is compared with; null = with nothing.
     */
    CellFigures(final Cell cell, final String name, final @Nullable CellFigures beside) {
        this.cell = cell;
        this.name = name;
        this.beside = beside;
    }

    void add(final Measured measured) {
        rounds.add(measured);
    }

    /** It counts no more: a round has failed. */
    void fail(final String reason) {
        failure = reason;
    }

    /** Called after the last round: fails when more than one in a hundred calls of all rounds has failed. */
    void judge() {
        final long failed = failedCount();
        final long all = failed + rounds.stream().mapToLong(Measured::callCount).sum();
        if (failure == null && failed > all * FAILED_MAX) {
            failure = failed + " of " + all + " calls failed";
        }
    }

    Cell cell() {
        return cell;
    }

    /** The name of the measured subject. */
    String name() {
        return name;
    }

    /** The name of the subject that it is compared with; null when there is none. */
    @Nullable
    String besideName() {
        return beside == null ? null : beside.name;
    }

    /** Why there are no figures; null when there are. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Calls beside the other's, of the same round; the median of the rounds. NaN when there is nothing beside it. */
    double ratio() {
        return quantile(ratios(Measured::callsPerS), 0.5);
    }

    /** The best quartile of the rounds. NaN when there is nothing beside it. */
    double ratioBest() {
        return quantile(ratios(Measured::callsPerS), UPPER_QUARTILE);
    }

    /** The 99th percentiles beside the other's; the median of the rounds. NaN when there is nothing beside it. */
    double p99Ratio() {
        return quantile(ratios(Measured::p99Us), 0.5);
    }

    private double[] ratios(final ToDoubleFunction<Measured> of) {
        if (beside == null || failure != null || beside.failure != null) {
            return new double[0];
        }
        final double[] ratios = new double[Math.min(rounds.size(), beside.rounds.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = of.applyAsDouble(rounds.get(i)) / of.applyAsDouble(beside.rounds.get(i));
        }
        return ratios;
    }

    /** The value that so large a part is not above; NaN when there is none. */
    static double quantile(final double[] values, final double part) {
        if (values.length == 0) {
            return Double.NaN;
        }
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }

    /** The median of the rounds; NaN when it has failed. */
    double median(final ToDoubleFunction<Measured> of) {
        return failure != null
                ? Double.NaN
                : quantile(rounds.stream().mapToDouble(of).toArray(), 0.5);
    }

    /** The greatest of the rounds. */
    int threadCountMax() {
        return rounds.stream().mapToInt(Measured::threadCount).max().orElse(0);
    }

    /** The longest call of the rounds in microseconds. */
    double maxUs() {
        return rounds.stream().mapToDouble(Measured::maxUs).max().orElse(0);
    }

    /** Threads that had not called once when they were measured: the most of the rounds. */
    int lateCountMax() {
        return rounds.stream().mapToInt(Measured::lateCount).max().orElse(0);
    }

    /** Failed calls of all rounds. */
    long failedCount() {
        return rounds.stream().mapToLong(Measured::failedCount).sum();
    }
}
