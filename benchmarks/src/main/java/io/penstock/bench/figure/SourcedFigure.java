package io.penstock.bench.figure;

import io.penstock.standalone.console.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One thing that several sources did in the same rounds; the broker is the first. Confined to the main thread. */
public final class SourcedFigure {
    private final String name;
    private final String unit;
    private final Map<String, List<Pace>> paces = new LinkedHashMap<>();

    /**
     * Without rounds.
     *
     * @param name of the figure.
     * @param unit what is counted, for example {@code rows}.
     */
    public SourcedFigure(final String name, final String unit) {
        this.name = name;
        this.unit = unit;
        paces.put("", new ArrayList<>());
    }

    /**
     * As it was given.
     *
     * @return the name.
     */
    public String name() {
        return name;
    }

    /**
     * Adds a round of the broker.
     *
     * @param pace that it had.
     */
    public void add(final Pace pace) {
        add("", pace);
    }

    /**
     * Adds a round of another source.
     *
     * @param source its name; empty = the broker.
     * @param pace   that it had.
     */
    public void add(final String source, final Pace pace) {
        paces.computeIfAbsent(source, unused -> new ArrayList<>()).add(pace);
    }

    /**
     * Whether there is something to say.
     *
     * @return true without a round of the broker.
     */
    public boolean isEmpty() {
        return paces.values().iterator().next().isEmpty();
    }

    /**
     * What was measured.
     *
     * @return names of sources; empty = the broker.
     */
    public List<String> sources() {
        return List.copyOf(paces.keySet());
    }

    /**
     * The broker's pace.
     *
     * @return things done in a second, the median of the rounds.
     */
    public double perS() {
        return perS("");
    }

    /**
     * A source's pace.
     *
     * @param source its name; empty = the broker.
     * @return things done in a second, the median of the rounds; NaN without rounds.
     */
    public double perS(final String source) {
        return median(source, false);
    }

    /**
     * A source's pace by CPU time.
     *
     * @param source its name; empty = the broker.
     * @return things done in a second of CPU time, the median of the rounds; NaN without rounds.
     */
    public double perCpuS(final String source) {
        return median(source, true);
    }

    private double median(final String source, final boolean isOfCpu) {
        return median(paces.getOrDefault(source, List.of()).stream()
                .mapToDouble(pace -> isOfCpu ? pace.perCpuS() : pace.perS())
                .toArray());
    }

    /**
     * The medians, and those of the rounds' ratios.
     *
     * @param ghz  clock of the CPU.
     * @param json that they are added to.
     * @return the same JSON.
     */
    public Json report(final double ghz, final Json json) {
        paces.forEach((source, rounds) -> {
            final String before = source.isEmpty() ? "" : source + "_";
            json.field(before + unit + "_per_s", perS(source))
                    .field(before + unit + "_per_cpu_s", perCpuS(source))
                    .field(before + unit + "_per_core_per_ghz", perCpuS(source) / ghz);
            if (!source.isEmpty()) {
                final List<Pace> ours = paces.getOrDefault("", List.of());
                Digits.field(json, "ratio_to_" + source, ratio(ours, rounds, false));
                Digits.field(json, "cpu_ratio_to_" + source, ratio(ours, rounds, true));
            }
        });
        return json;
    }

    /**
     * The median of the ratios of what was measured in the same rounds.
     *
     * @param some    rounds.
     * @param others  rounds, by which they are divided.
     * @param isOfCpu whether by CPU time.
     * @return the median; NaN without rounds.
     */
    public static double ratio(final List<Pace> some, final List<Pace> others, final boolean isOfCpu) {
        final double[] ratios = new double[Math.min(some.size(), others.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = isOfCpu
                    ? some.get(i).perCpuS() / others.get(i).perCpuS()
                    : some.get(i).perS() / others.get(i).perS();
        }
        return median(ratios);
    }

    /**
     * The one in the middle.
     *
     * @param values in any order, which are sorted.
     * @return the median; NaN for none.
     */
    public static double median(final double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        Arrays.sort(values);
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }
}
