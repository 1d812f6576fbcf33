package io.penstock.standalone.bench.orb;

import io.penstock.standalone.console.Json;
import java.util.ArrayList;
import java.util.List;

/** The rounds of one cell, of something and of what it is measured beside. */
final class CellFigures {
    private static final double UPPER_QUARTILE = 0.75;

    private final Cell cell;
    private final Subject.Kind kind;
    private final List<Subject.Result> ours = new ArrayList<>();
    private final List<Subject.Result> theirs = new ArrayList<>();

    CellFigures(final Cell cell, final Subject.Kind kind) {
        this.cell = cell;
        this.kind = kind;
    }

    void add(final Subject.Result our, final Subject.Result their) {
        ours.add(our);
        theirs.add(their);
    }

    Cell cell() {
        return cell;
    }

    Subject.Kind kind() {
        return kind;
    }

    /** Calls beside the other's, of the same round; the median of the rounds. */
    double ratio() {
        return quantile(ratios(), 0.5);
    }

    /** The best quartile of the rounds. */
    double ratioBest() {
        return quantile(ratios(), UPPER_QUARTILE);
    }

    /** The 99th percentiles beside the other's; the median of the rounds. */
    double p99Ratio() {
        final double[] ratios = new double[ours.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours.get(i).p99Us() / theirs.get(i).p99Us();
        }
        return quantile(ratios, 0.5);
    }

    private double[] ratios() {
        final double[] ratios = new double[ours.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours.get(i).callsPerS() / theirs.get(i).callsPerS();
        }
        return ratios;
    }

    /** The value that so large a part is not above. */
    static double quantile(final double[] values, final double part) {
        final double[] sorted = values.clone();
        java.util.Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }

    String json() {
        final Subject.Result our = median(ours);
        final Subject.Result their = median(theirs);
        return new Json()
                .field("kind", kind.id())
                .field("operation", cell.operation())
                .field("threads", cell.threadCount())
                .field("size", cell.size())
                .field("calls_per_s", our.callsPerS())
                .field("mb_per_s", our.callsPerS() * cell.length() / 1e6)
                .field("p50_us", our.p50Us())
                .field("p99_us", our.p99Us())
                .field("connections", our.connectionCount())
                .field("server_threads", our.threadCount())
                .field("failed", our.failedCount())
                .field("plain_calls_per_s", their.callsPerS())
                .field("plain_p99_us", their.p99Us())
                .field("plain_connections", their.connectionCount())
                .field("plain_server_threads", their.threadCount())
                .field("plain_failed", their.failedCount())
                .field("ratio", ratio())
                .field("ratio_best_quartile", ratioBest())
                .field("p99_ratio", p99Ratio())
                .end();
    }

    private static Subject.Result median(final List<Subject.Result> of) {
        final List<Subject.Result> sorted = new ArrayList<>(of);
        sorted.sort((a, b) -> Double.compare(a.callsPerS(), b.callsPerS()));
        return sorted.get(sorted.size() / 2);
    }
}
