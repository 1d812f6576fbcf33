package io.penstock.bench.orb;

import io.penstock.standalone.console.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** All cells of a run together. */
final class Summary {
    private static final int MANY_THREADS = 500;
    private static final int SOME_THREADS = 10;
    private static final int SHORT_LENGTH = 64 << 10;

    private final List<CellFigures> all = new ArrayList<>();
    private int leftOutCount;

    void add(final CellFigures figures) {
        all.add(figures);
    }

    /** Rounds of a cell for which there was no time. */
    void leaveOut(final int roundCount) {
        leftOutCount += roundCount;
    }

    boolean isFirst(final CellFigures figures) {
        return all.get(0) == figures;
    }

    long failedCount() {
        return all.stream().filter(each -> each.failure() != null).count();
    }

    /** The geometric mean of the ratios of a kind's cells; NaN when there are none. */
    double mean(final Kind kind) {
        return Math.exp(compared(kind, each -> true)
                .mapToDouble(each -> Math.log(each.ratio()))
                .average()
                .orElse(Double.NaN));
    }

    /** The worst of the best quartiles of a kind's cells; NaN when there are none. */
    double worst(final Kind kind) {
        return least(kind, each -> true, CellFigures::ratioBest);
    }

    private double least(final Kind kind, final Predicate<Cell> cells, final ToDoubleFunction<CellFigures> figure) {
        return compared(kind, cells).mapToDouble(figure).min().orElse(Double.NaN);
    }

    private Stream<CellFigures> compared(final Kind kind, final Predicate<Cell> cells) {
        return all.stream()
                .filter(each ->
                        each.name().equals(kind.id()) && cells.test(each.cell()) && !Double.isNaN(each.ratio()));
    }

    private long cellCount(final Kind kind) {
        return compared(kind, each -> true).count();
    }

    /** Calls of a kind that failed, in all cells. */
    private long failedCallCount(final Kind kind) {
        return of(kind).mapToLong(CellFigures::failedCount).sum();
    }

    private Stream<CellFigures> of(final Kind kind) {
        return all.stream().filter(each -> each.name().equals(kind.id()));
    }

    private String worstCell(final Kind kind) {
        return compared(kind, each -> true)
                .min(Comparator.comparingDouble(CellFigures::ratioBest))
                .map(each -> each.cell().toString())
                .orElse("");
    }

    private int threadCountMax(final Kind kind) {
        return of(kind).mapToInt(CellFigures::threadCountMax).max().orElse(0);
    }

    /**
     * Of each kind that is compared: the mean and of how many cells it is, the worst cell, the most threads; of each kind, calls
     * that failed; the tail of the pool where it counts, the
     * worst; and IIOP at few threads, the worse operation.
     */
    String json() {
        final Json json = new Json();
        for (final Kind kind : Kind.values()) {
            if (of(kind).findAny().isEmpty()) {
                continue;
            }
            json.field(kind.id() + "_failed_calls", failedCallCount(kind));
            if (kind.beside() != null) {
                json.field(kind.id() + "_ratio_geometric_mean", mean(kind))
                        .field(kind.id() + "_cells", cellCount(kind))
                        .field(kind.id() + "_ratio_best_quartile_min", worst(kind))
                        .field(kind.id() + "_worst_cell", worstCell(kind))
                        .field(kind.id() + "_server_threads_max", threadCountMax(kind));
            }
        }
        return json.field("rmi_pooled_p99_ratio_500_threads_max", tail())
                .field("iiop_ratio_10_threads_1kib_min", iiop(1 << 10))
                .field("iiop_ratio_10_threads_64kib_min", iiop(64 << 10))
                .field("failed_cells", failedCount())
                .field("rounds_left_out", leftOutCount)
                .end();
    }

    /** The worst of the 99th percentiles of the pool at 500 threads and short payloads. */
    double tail() {
        return compared(Kind.RMI_POOLED, cell -> cell.threadCount() == MANY_THREADS && cell.length() <= SHORT_LENGTH)
                .mapToDouble(CellFigures::p99Ratio)
                .max()
                .orElse(Double.NaN);
    }

    double iiop(final int length) {
        return least(
                Kind.IIOP, cell -> cell.threadCount() == SOME_THREADS && cell.length() == length, CellFigures::ratio);
    }

    /** The same for people, a line for each kind. */
    List<String> lines() {
        final List<String> lines = new ArrayList<>();
        for (final Kind kind : Kind.values()) {
            final Kind beside = kind.beside();
            if (beside != null && !Double.isNaN(mean(kind))) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%s beside %s: geometric mean %.2f of %d cells, worst cell's best quartile %.2f (%s),"
                                + " at most %d threads; calls that failed: %d, and %d of %s",
                        kind.id(),
                        beside.id(),
                        mean(kind),
                        cellCount(kind),
                        worst(kind),
                        worstCell(kind),
                        threadCountMax(kind),
                        failedCallCount(kind),
                        failedCallCount(beside),
                        beside.id()));
            }
        }
        if (leftOutCount > 0) {
            lines.add("there was no time for all rounds: " + leftOutCount + " of the cells' rounds were left out");
        }
        if (!Double.isNaN(tail())) {
            lines.add(String.format(
                    Locale.ROOT, "rmi_pooled, 500 threads, up to 64KiB: p99 at most %.2f of plain's", tail()));
        }
        for (final int length : new int[] {1 << 10, 64 << 10}) {
            if (!Double.isNaN(iiop(length))) {
                lines.add(String.format(
                        Locale.ROOT,
                        "iiop, 10 threads, %dKiB: at least %.2f of glassfish's calls",
                        length >> 10,
                        iiop(length)));
            }
        }
        return lines;
    }
}
