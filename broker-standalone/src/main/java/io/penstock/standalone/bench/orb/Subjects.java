package io.penstock.standalone.bench.orb;

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
 * What is measured in one run, each in processes of its own: warmed up once, and once more when they have failed.
 *
 * @param <K> what tells them apart; its text is their name.
 */
final class Subjects<K> implements AutoCloseable {
    private static final int SLICE_MS = 80;
    private static final int THREAD_COUNT = 10;

    private final Map<K, Subject> subjects = new HashMap<>();
    private final Function<K, Setup> setups;
    private final List<Cell> slices;
    private final long warmUpMsMax;
    private final Progress progress;

    /**
     * Nothing is started yet.
     *
     * @param setups      how each is started.
     * @param cells       that will be measured.
     * @param warmUpMsMax longest warm-up of each in milliseconds; at least once each operation and size.
     * @param progress    to say what is done.
     */
    Subjects(final Function<K, Setup> setups, final List<Cell> cells, final long warmUpMsMax, final Progress progress) {
        this.setups = setups;
        this.warmUpMsMax = warmUpMsMax;
        this.progress = progress;
        final int threadCountMax =
                cells.stream().mapToInt(Cell::threadCount).max().orElse(1);
        slices = cells.stream()
                .map(each -> new Cell(each.operation(), Math.min(THREAD_COUNT, threadCountMax), each.length()))
                .distinct()
                .toList();
    }

    /**
     * Starts processes, unless they run.
     *
     * @param kind of them.
     */
    private void start(final K kind) throws IOException, MeasureFailure, InterruptedException {
        if (!subjects.containsKey(kind)) {
            progress.say("starting " + kind);
            final Subject subject = Subject.start(setups.apply(kind));
            subjects.put(kind, subject);
            warmUp(kind, subject);
        }
    }

    /** All that will be called, some of each in turn, until it gets no faster. */
    private void warmUp(final K kind, final Subject subject) throws MeasureFailure, InterruptedException {
        final long startNs = System.nanoTime();
        final Rising rising = new Rising();
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
        } while (!rising.isOver() && tookMs < warmUpMsMax);
    }

    /**
     * Measures once.
     *
     * @param kind     of processes, which are started if they do not run.
     * @param cell     what is called, by how many.
     * @param warmUpMs of that cell in milliseconds.
     * @param ms       measured time in milliseconds.
     * @return the figures.
     * @throws MeasureFailure when there are none.
     */
    Measured measure(final K kind, final Cell cell, final long warmUpMs, final long ms)
            throws MeasureFailure, InterruptedException {
        try {
            start(kind);
        } catch (final IOException e) {
            throw CommandFailure.failed("bench orb: " + kind + ": cannot be started: " + e.getMessage());
        }
        return measure(kind, Objects.requireNonNull(subjects.get(kind)), cell, warmUpMs, ms);
    }

    /** What has failed once is started again when it is measured next. */
    private Measured measure(final K kind, final Subject subject, final Cell cell, final long warmUpMs, final long ms)
            throws MeasureFailure, InterruptedException {
        boolean isDone = false;
        try {
            final Measured measured = subject.measure(cell, warmUpMs, ms);
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
        subjects.values().forEach(Subject::close);
    }
}
