package io.penstock.bench.state;

import io.penstock.bench.figure.Pace;
import io.penstock.bench.figure.SourcedFigure;
import io.penstock.standalone.console.Json;
import java.util.ArrayList;
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
                        SourcedFigure.median(
                                ours.stream().mapToDouble(Pace::perS).toArray()))
                .field(unit + "_per_cpu_s", cpuPace())
                .field(
                        "plain_" + unit + "_per_s",
                        SourcedFigure.median(
                                plain.stream().mapToDouble(Pace::perS).toArray()))
                .field(
                        "plain_" + unit + "_per_cpu_s",
                        SourcedFigure.median(
                                plain.stream().mapToDouble(Pace::perCpuS).toArray()))
                .field("ratio_to_plain", ratio(false))
                .field("cpu_ratio_to_plain", ratio(true));
    }

    /** Things done in a second of CPU time. */
    double cpuPace() {
        return SourcedFigure.median(ours.stream().mapToDouble(Pace::perCpuS).toArray());
    }

    private double ratio(final boolean isOfCpu) {
        return SourcedFigure.ratio(ours, plain, isOfCpu);
    }

    List<Pace> ours() {
        return ours;
    }
}
