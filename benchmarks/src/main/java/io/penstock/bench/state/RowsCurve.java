package io.penstock.bench.state;

import io.penstock.bench.figure.Curve;
import io.penstock.bench.figure.SourcedFigure;
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
    private static final double[] PARTS = {0.00001, 0.0001, 0.001, 0.01, 0.1, 0.5};
    private static final int[] COUNTS = {1, 2, 5, 10, 20, 50};
    private static final double MILLION = 1e6;

    private RowsCurve() {}

    /** Measures it. */
    static Curve measure(final String name, final RowsPlan plan) throws IOException, InterruptedException {
        final Map<String, RowsPlan> steps = steps(name, plan);
        final Curve curve =
                new Curve("state-" + name, "Queries of rows, by one thread", name, List.copyOf(steps.keySet()));
        for (final Map.Entry<String, RowsPlan> step : steps.entrySet()) {
            try (RowsRun run = new RowsRun(step.getValue())) {
                run.run(new Json());
                for (final SourcedFigure figure : run.figures()) {
                    if (!figure.isEmpty() && !figure.name().equals("load")) {
                        for (final String source : figure.sources()) {
                            curve.add(
                                    step.getKey(),
                                    // A loop over arrays is too far from all others for one axis.
                                    figure.name() + (source.equals("plain") ? " by a plain loop" : "")
                                            + ", M/s per core and GHz",
                                    source.isEmpty() ? "penstock" : source,
                                    figure.perCpuS(source) / run.ghz() / MILLION);
                        }
                    }
                }
            }
        }
        return curve;
    }

    private static Map<String, RowsPlan> steps(final String name, final RowsPlan plan) {
        final Map<String, RowsPlan> steps = new LinkedHashMap<>();
        switch (name) {
            case ROWS -> {
                final Set<String> parts = Set.of(RowsPlan.SCAN, RowsPlan.GROUP, RowsPlan.TOP);
                for (int rows = ROWS_MIN; rows < plan.rowCount(); rows = Math.multiplyExact(rows, STEP)) {
                    steps.put(
                            String.format(Locale.ROOT, "%,d", rows),
                            plan.with(
                                    rows,
                                    plan.queries().selectivity(),
                                    plan.queries().count(),
                                    parts));
                }
                steps.put(
                        String.format(Locale.ROOT, "%,d", plan.rowCount()),
                        plan.with(
                                plan.rowCount(),
                                plan.queries().selectivity(),
                                plan.queries().count(),
                                parts));
            }
            case SELECTIVITY -> {
                for (final double part : PARTS) {
                    steps.put(
                            String.valueOf(part),
                            plan.with(plan.rowCount(), part, plan.queries().count(), Set.of(RowsPlan.SCAN)));
                }
            }
            default -> {
                for (final int count : COUNTS) {
                    steps.put(
                            String.valueOf(count),
                            plan.with(plan.rowCount(), plan.queries().selectivity(), count, Set.of(RowsPlan.TOGETHER)));
                }
            }
        }
        return steps;
    }
}
