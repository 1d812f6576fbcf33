package io.penstock.bench.orb;

import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The subjects of one run, each in processes of its own. They are warmed up when they are started, and started again
 * for the next cell when they have failed.
 *
 * @param <K> what distinguishes them; its text is their name.
 */
final class Subjects<K> implements AutoCloseable {
    private static final int SLICE_MS = 150;
    private static final int THREAD_COUNT = 10;

    private final Map<K, CalledServer> subjects = new HashMap<>();
    private final Function<K, Setup> setups;
    private final List<Cell> slices;
    private final Patience patience;
    private final CellProgress progress;

    /**
     * Nothing is started yet.
     *
     * @param setups      how each is started.
     * @param cells       that will be measured.
     * @param patience    with each; at least once each operation and size.
     * @param progress    to say what is done.
     */
    Subjects(
            final Function<K, Setup> setups,
            final List<Cell> cells,
            final Patience patience,
            final CellProgress progress) {
        this.setups = setups;
        this.patience = patience;
        this.progress = progress;
        final int threadCountMax =
                cells.stream().mapToInt(Cell::threadCount).max().orElse(1);
        slices = cells.stream()
                .map(each -> new Cell(each.operation(), Math.min(THREAD_COUNT, threadCountMax), each.length()))
                .distinct()
                .toList();
    }

    /**
     * Starts processes and warms them up, unless they run.
     *
     * @param kind of them.
     * @throws MeasureFailure when they do not start, or fail while they are warmed up.
     */
    void start(final K kind) throws MeasureFailure, InterruptedException {
        if (!subjects.containsKey(kind)) {
            progress.say("starting " + kind);
            try {
                final CalledServer subject = CalledServer.start(setups.apply(kind));
                subjects.put(kind, subject);
                warmUp(kind, subject);
            } catch (final IOException e) {
                throw CommandFailure.failed("bench orb: " + kind + ": cannot be started: " + e.getMessage());
            }
        }
    }

    /** All that will be called, some of each in turn, until it gets no faster. */
    private void warmUp(final K kind, final CalledServer subject) throws MeasureFailure, InterruptedException {
        final long startNs = System.nanoTime();
        final Rising rising = new Rising(patience.leastWarmUpMs(), patience.mostWarmUpMs());
        long tookMs = 0;
        do {
            double logs = 0;
            for (final Cell each : slices) {
                logs += Math.log(measure(kind, subject, each, 0, SLICE_MS).callsPerS());
            }
            rising.add(Math.exp(logs / slices.size()));
            tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            progress.say(String.format(
                    Locale.ROOT,
                    "warming up %s: %.1f s, %.0f calls/s",
                    kind,
                    tookMs / 1e3,
                    Math.exp(logs / slices.size())));
        } while (!rising.isOver(tookMs));
    }

    /**
     * Measures once.
     *
     * @param kind     of processes, which were started and have not failed since.
     * @param cell     what is called, by how many.
     * @param warmUpMs of that cell in milliseconds.
     * @param ms       measured time in milliseconds.
     * @return the figures.
     * @throws MeasureFailure when there are none.
     */
    Measured measure(final K kind, final Cell cell, final long warmUpMs, final long ms)
            throws MeasureFailure, InterruptedException {
        return measure(kind, Objects.requireNonNull(subjects.get(kind)), cell, warmUpMs, ms);
    }

    /** A subject that has failed once runs no more. */
    private Measured measure(
            final K kind, final CalledServer subject, final Cell cell, final long warmUpMs, final long ms)
            throws MeasureFailure, InterruptedException {
        boolean isDone = false;
        try {
            final Measured measured = subject.measure(cell, warmUpMs, patience.firstCallsMs(), ms);
            isDone = true;
            return measured;
        } finally {
            if (!isDone) {
                subjects.remove(kind);
                subject.close();
            }
        }
    }

    @Override
    public void close() {
        subjects.values().forEach(CalledServer::close);
    }
}
