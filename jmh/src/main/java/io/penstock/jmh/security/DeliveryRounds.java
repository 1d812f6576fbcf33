package io.penstock.jmh.security;

import java.util.Arrays;
import java.util.List;

/** Cases in alternating rounds, each as ratio of the first one. */
final class DeliveryRounds {
    private DeliveryRounds() {}

    /** Runs them and prints what came out. The first fifth of the rounds warms up. */
    static void run(final List<DeliveryCase> cases, final int rounds) {
        final double[][] ns = new double[cases.size()][rounds];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < cases.size(); i++) {
                // Each is the first one in its turn.
                final int place = (i + round) % cases.size();
                ns[place][round] = cases.get(place).round();
            }
        }
        final int from = rounds / 5;
        final double base = lowerQuartile(Arrays.copyOfRange(ns[0], from, rounds));
        for (int i = 0; i < cases.size(); i++) {
            final double[] ratios = new double[rounds - from];
            for (int round = from; round < rounds; round++) {
                ratios[round - from] = ns[i][round] / ns[0][round];
            }
            final double quartile = lowerQuartile(Arrays.copyOfRange(ns[i], from, rounds));
            System.out.printf(
                    "%-30s %7.1f ns a message (lower quartile), %.3f of none; median of ratios %.3f%n",
                    cases.get(i).name(), quartile, quartile / base, median(ratios));
        }
        cases.forEach(DeliveryCase::close);
    }

    private static double median(final double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static double lowerQuartile(final double[] values) {
        Arrays.sort(values);
        return values[values.length / 4];
    }
}
