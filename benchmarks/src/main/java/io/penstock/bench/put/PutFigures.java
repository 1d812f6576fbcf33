package io.penstock.bench.put;

import java.util.Arrays;
import java.util.List;

/**
 * Measurements of all producers together.
 *
 * @param mbPerS     stored, of a million bytes a second.
 * @param connectMs  to connect and log on, mean of a producer.
 * @param openMs     to open the sink, mean of a producer; registering included.
 * @param registerMs to make and register memory, mean of a producer.
 * @param memoryKib  for blocks of a producer.
 */
record PutFigures(double mbPerS, double connectMs, double openMs, double registerMs, long memoryKib) {
    private static final double NS_PER_MS = 1e6;

    /** The run with the median rate. */
    static PutFigures median(final List<PutFigures> runs) {
        final PutFigures[] sorted = runs.toArray(new PutFigures[0]);
        Arrays.sort(sorted, (a, b) -> Double.compare(a.mbPerS, b.mbPerS));
        return sorted[sorted.length / 2];
    }

    /** The median of the ratios of the rounds. */
    static double ratio(final List<PutFigures> runs, final List<PutFigures> to) {
        final double[] ratios = new double[runs.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = runs.get(i).mbPerS / to.get(i).mbPerS;
        }
        Arrays.sort(ratios);
        return ratios[ratios.length / 2];
    }

    /** Adds up what processes say. */
    static final class Sum {
        private double mbPerS;
        private double connectNs;
        private double openNs;
        private double registerNs;
        private long memory;

        void addSetUp(final String line) {
            final String[] numbers = line.split(" ", -1);
            connectNs += Double.parseDouble(numbers[0]);
            openNs += Double.parseDouble(numbers[1]);
            registerNs += Double.parseDouble(numbers[2]);
            memory += Long.parseLong(numbers[3]);
        }

        void addRun(final String line) {
            final String[] numbers = line.split(" ", -1);
            mbPerS += Double.parseDouble(numbers[0]) * 1e3 / Double.parseDouble(numbers[1]);
        }

        PutFigures figures(final int producerCount) {
            return new PutFigures(
                    mbPerS,
                    connectNs / NS_PER_MS / producerCount,
                    openNs / NS_PER_MS / producerCount,
                    registerNs / NS_PER_MS / producerCount,
                    memory / producerCount / 1024);
        }
    }
}
