package io.penstock.bench.state;

import io.penstock.standalone.console.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One thing that was measured in rounds, beside a plain loop that did the comparable work in the same round. Owned by the
 * main thread.
 */
final class Figure {
    private final String name;
    private final String unit;
    private final List<Pace> ours = new ArrayList<>();
    private final List<Pace> plain = new ArrayList<>();

    /**
     * @param name of the figure.
     * @param unit what is counted, for example {@code rows}.
     */
    Figure(final String name, final String unit) {
        this.name = name;
        this.unit = unit;
    }

    /** Adds a round. */
    void add(final Pace measured, final Pace beside) {
        ours.add(measured);
        plain.add(beside);
    }

    String name() {
        return name;
    }

    /** The medians, and the median of the rounds' ratios. */
    Json json() {
        return new Json()
                .field(
                        unit + "_per_s",
                        median(ours.stream().mapToDouble(Pace::perS).toArray()))
                .field(unit + "_per_cpu_s", cpuPace())
                .field(
                        "plain_" + unit + "_per_s",
                        median(plain.stream().mapToDouble(Pace::perS).toArray()))
                .field(
                        "plain_" + unit + "_per_cpu_s",
                        median(plain.stream().mapToDouble(Pace::perCpuS).toArray()))
                .field("ratio_to_plain", ratio(false))
                .field("cpu_ratio_to_plain", ratio(true));
    }

    /** Things done in a second of CPU time. */
    double cpuPace() {
        return median(ours.stream().mapToDouble(Pace::perCpuS).toArray());
    }

    private double ratio(final boolean isOfCpu) {
        return ratio(ours, plain, isOfCpu);
    }

    /** The median of the ratios of what was measured in the same rounds. */
    static double ratio(final List<Pace> some, final List<Pace> others, final boolean isOfCpu) {
        final double[] ratios = new double[Math.min(some.size(), others.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = isOfCpu
                    ? some.get(i).perCpuS() / others.get(i).perCpuS()
                    : some.get(i).perS() / others.get(i).perS();
        }
        return median(ratios);
    }

    List<Pace> ours() {
        return ours;
    }

    static double median(final double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        Arrays.sort(values);
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }
}
