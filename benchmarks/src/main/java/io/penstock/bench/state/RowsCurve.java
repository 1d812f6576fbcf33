package io.penstock.bench.state;

import io.penstock.bench.figure.Curve;
import io.penstock.bench.figure.SourcedFigure;
import io.penstock.bench.figure.Step;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Queries of rows in steps of their number, of what queries find, or of queries at once. Confined to the main thread. */
final class RowsCurve {
    static final String ROWS = "rows";
    static final String SELECTIVITY = "selectivity";
    static final String QUERIES = "queries";
    static final List<String> NAMES = List.of(ROWS, SELECTIVITY, QUERIES);

    private static final int STEP = 10;
    private static final int ROWS_MIN = 1_000;
    private static final double[] PARTS = {0.0001, 0.001, 0.01, 0.1, 1};
    private static final int[] COUNTS = {1, 2, 4, 8, 16, 32, 64};
    private static final double MILLION = 1e6;
    private static final Map<String, String> PANELS = Map.of(
            "scan", "count of those that a filter finds",
            "group_by", "count and mean price by symbol",
            "order_by_top_n", "the ten dearest",
            "queries_together", "counts, each with a filter");

    private RowsCurve() {}

    /** Measures it. */
    static Curve measure(final String name, final RowsPlan plan) throws IOException, InterruptedException {
        final Map<Step, RowsPlan> steps = steps(name, plan);
        final Curve curve = new Curve("state-" + name, title(name), stepTitle(name, plan), List.copyOf(steps.keySet()));
        for (final Map.Entry<Step, RowsPlan> step : steps.entrySet()) {
            try (RowsRun run = new RowsRun(step.getValue())) {
                run.run(new Json());
                for (final SourcedFigure figure : run.figures()) {
                    final String panel = PANELS.get(figure.name());
                    if (panel != null && !figure.isEmpty()) {
                        curve.add(step.getKey(), panel, figure, run.ghz() * MILLION);
                    }
                }
            }
        }
        return curve;
    }

    private static String title(final String name) {
        return name.equals(QUERIES)
                ? "Millions of rows a second that a core looks at for a query, for each GHz"
                : "Millions of rows a second that a core looks at, for each GHz";
    }

    private static String stepTitle(final String name, final RowsPlan plan) {
        return switch (name) {
            case ROWS -> "rows of the topic";
            case SELECTIVITY -> String.format(Locale.ROOT, "part of %,d rows that the filter finds", plan.rowCount());
            default -> String.format(Locale.ROOT, "queries of %,d rows at once", plan.rowCount());
        };
    }

    private static Map<Step, RowsPlan> steps(final String name, final RowsPlan plan) {
        final Map<Step, RowsPlan> steps = new LinkedHashMap<>();
        final double part = plan.queries().selectivity();
        final int count = plan.queries().count();
        switch (name) {
            case ROWS -> {
                final Set<String> parts = Set.of(RowsPlan.SCAN, RowsPlan.GROUP, RowsPlan.TOP);
                for (long rows = ROWS_MIN; rows < plan.rowCount(); rows *= STEP) {
                    steps.put(Step.of((int) rows), plan.with((int) rows, part, count, parts));
                }
                steps.put(Step.of(plan.rowCount()), plan.with(plan.rowCount(), part, count, parts));
            }
            case SELECTIVITY -> {
                for (final double each : PARTS) {
                    steps.put(Step.ofPart(each), plan.with(plan.rowCount(), each, count, Set.of(RowsPlan.SCAN)));
                }
            }
            default -> {
                for (final int each : COUNTS) {
                    steps.put(Step.of(each), plan.with(plan.rowCount(), part, each, Set.of(RowsPlan.TOGETHER)));
                }
            }
        }
        return steps;
    }
}
