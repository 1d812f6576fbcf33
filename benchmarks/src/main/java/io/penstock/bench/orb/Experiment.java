package io.penstock.bench.orb;

import io.penstock.bench.figure.Chart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Something that is changed in steps while the rest stays, for several stacks.
 *
 * @param id        name of it.
 * @param title     of its chart.
 * @param stepTitle what is changed.
 * @param stepField the same as a field of JSON.
 * @param steps     from the least to the greatest.
 * @param series    the stacks.
 * @param cells     what is measured at each step.
 * @param panels    of the chart: figures of all cells.
 */
record Experiment(
        String id,
        String title,
        String stepTitle,
        String stepField,
        List<String> steps,
        List<Series> series,
        List<Cell> cells,
        List<Figure> panels) {
    private static final int[] LENGTHS = {1 << 10, 4 << 10, 64 << 10, 1 << 20};
    private static final int[] CONNECTION_COUNTS = {1, 10, 25, 500};
    private static final int MANY_THREADS = 500;

    /**
     * A stack.
     *
     * @param name   of it.
     * @param setups one for each step; one in all when the steps do not concern it.
     */
    record Series(String name, List<Setup> setups) {}

    /**
     * The figure of a cell in a chart.
     *
     * @param unit of it.
     * @param of   takes it from cell and measurement.
     */
    record Figure(String unit, Value of) {}

    /** Takes a figure from a measurement. */
    interface Value {
        double of(Cell cell, ToDoubleFunction<ToDoubleFunction<Measured>> median);
    }

    /** Large arrays through buffers of different lengths. */
    static Experiment staging(final OrbPrograms programs, final int threadCount) {
        final List<Cell> cells = new ArrayList<>();
        for (final int threads : threadCount == 1 ? new int[] {1} : new int[] {1, threadCount}) {
            cells.add(new Cell(Cell.ECHO, threads, 64 << 10));
            cells.add(new Cell(Cell.ECHO, threads, 1 << 20));
        }
        return new Experiment(
                "staging",
                "Large arrays through a buffer (echo; MB/s one way)",
                "length of buffer or fragment",
                "buffer",
                Arrays.stream(LENGTHS).mapToObj(Cell::size).toList(),
                List.of(
                        new Series("RMI, buffered sockets", each(LENGTHS, Setup::staged)),
                        new Series("GlassFish's ORB", each(LENGTHS, length -> Setup.glassfish(programs, 0, length))),
                        new Series("bridge, IIOP", each(LENGTHS, length -> Setup.iiop(programs, 0, length))),
                        new Series("bridge, RMI, chunks of 64KiB", List.of(Setup.pooled(0)))),
                cells,
                List.of(new Figure(
                        "MB/s", (cell, median) -> median.applyAsDouble(Measured::callsPerS) * cell.length() / 1e6)));
    }

    /** Many threads over few connections. */
    static Experiment connections(final OrbPrograms programs) {
        return new Experiment(
                "connections",
                "500 threads over few connections (echo)",
                "connections at most",
                "connections_max",
                Arrays.stream(CONNECTION_COUNTS).mapToObj(String::valueOf).toList(),
                List.of(
                        new Series(
                                "bridge, RMI",
                                each(CONNECTION_COUNTS, n -> n == MANY_THREADS ? Setup.rmi() : Setup.pooled(n))),
                        new Series(
                                "bridge, IIOP",
                                each(CONNECTION_COUNTS, n -> Setup.iiop(programs, n, Setup.FRAGMENT_LENGTH))),
                        new Series(
                                "GlassFish's ORB",
                                each(CONNECTION_COUNTS, n -> Setup.glassfish(programs, n, Setup.FRAGMENT_LENGTH)))),
                List.of(new Cell(Cell.ECHO, MANY_THREADS, 1 << 10), new Cell(Cell.ECHO, MANY_THREADS, 64 << 10)),
                List.of(
                        new Figure("calls/s", (cell, median) -> median.applyAsDouble(Measured::callsPerS)),
                        new Figure("p99, ms", (cell, median) -> median.applyAsDouble(Measured::p99Us) / 1e3)));
    }

    private static List<Setup> each(final int[] steps, final IntFunction<Setup> setup) {
        return IntStream.of(steps).mapToObj(setup).toList();
    }

    /**
     * Draws it.
     *
     * @param results by series, step and cell.
     */
    Chart chart(final Map<Place, CellFigures> results) {
        final Chart chart = new Chart(title, stepTitle, steps);
        for (final Figure figure : panels) {
            for (final Cell cell : cells) {
                final Map<String, double[]> lines = new LinkedHashMap<>();
                for (final Series each : series) {
                    final double[] values = new double[steps.size()];
                    for (int step = 0; step < values.length; step++) {
                        final CellFigures found = results.get(new Place(
                                each.name(), Math.min(step, each.setups().size() - 1), cell));
                        values[step] = found == null ? Double.NaN : figure.of().of(cell, found::median);
                    }
                    lines.put(each.name(), values);
                }
                chart.panel(cell.threads() + ", " + cell.size() + ": " + figure.unit(), lines);
            }
        }
        return chart;
    }

    /**
     * Where something was measured.
     *
     * @param series name of it.
     * @param step   number of it.
     * @param cell   what.
     */
    record Place(String series, int step, Cell cell) {}
}
