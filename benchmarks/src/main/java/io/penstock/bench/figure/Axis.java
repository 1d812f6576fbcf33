package io.penstock.bench.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The axis of values: round numbers that hold all of them.
 *
 * @param isLogarithmic whether each factor has the same length, and not each difference.
 * @param ticks         round values, from the lowest to the highest; the first and the last are the ends.
 */
record Axis(boolean isLogarithmic, List<Double> ticks) {
    private static final int LINEAR_TICK_COUNT = 5;
    private static final double LOGARITHMIC_RATIO = 20;
    private static final double DECADES_ALONE_RATIO = 200;
    private static final double[] ROUND = {1, 2, 5};
    private static final double LEAST = 1e-6;
    private static final double SLACK = 1e-9;

    Axis {
        ticks = List.copyOf(ticks);
    }

    /** One that begins at 0. */
    static Axis linear(final double[] values) {
        final double tick = tick(Arrays.stream(values).max().orElse(1));
        final List<Double> ticks = new ArrayList<>();
        for (int i = 0; i <= LINEAR_TICK_COUNT; i++) {
            ticks.add(tick * i);
        }
        return new Axis(false, ticks);
    }

    /** A logarithmic one where values are far apart and all above 0; else a linear one. */
    static Axis fitting(final double[] values) {
        final double min = Arrays.stream(values).min().orElse(0);
        final double max = Arrays.stream(values).max().orElse(0);
        if (min <= 0 || max / min < LOGARITHMIC_RATIO) {
            return linear(values);
        }
        final boolean isDecadesAlone = max / min >= DECADES_ALONE_RATIO;
        final List<Double> ticks = new ArrayList<>();
        for (int power = (int) Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power++) {
            for (final double each : isDecadesAlone ? new double[] {1} : ROUND) {
                ticks.add(power < 0 ? each / Math.pow(10, -power) : each * Math.pow(10, power));
            }
        }
        while (ticks.get(1) <= min * (1 + SLACK)) {
            ticks.remove(0);
        }
        while (ticks.get(ticks.size() - 2) >= max * (1 - SLACK)) {
            ticks.remove(ticks.size() - 1);
        }
        return new Axis(true, ticks);
    }

    /** A round number, so that a few of them hold the greatest value. */
    static double tick(final double max) {
        final double least = Math.max(max, LEAST) / LINEAR_TICK_COUNT;
        final double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (final double each : new double[] {1, 2, 2.5, 5}) {
            if (each * power >= least) {
                return each * power;
            }
        }
        return 10 * power;
    }

    /** Where a value is: 0 at the lower end, 1 at the upper one. */
    double place(final double value) {
        final double low = ticks.get(0);
        final double high = ticks.get(ticks.size() - 1);
        return isLogarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    }

    /** A number in few signs. */
    static String label(final double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : Digits.of(value).toPlainString();
    }
}
