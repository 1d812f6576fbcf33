package io.penstock.bench.state;

import io.penstock.bench.Digits;
import io.penstock.standalone.console.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One thing that several sources did in the same rounds; the broker is the first. Confined to the main thread. */
final class RowFigure {
    private final String name;
    private final String unit;
    private final Map<String, List<Pace>> paces = new LinkedHashMap<>();

    /**
     * Without rounds.
     *
     * @param name of the figure.
     * @param unit what is counted, for example {@code rows}.
     */
    RowFigure(final String name, final String unit) {
        this.name = name;
        this.unit = unit;
        paces.put("", new ArrayList<>());
    }

    String name() {
        return name;
    }

    /** Adds a round of the broker. */
    void add(final Pace pace) {
        add("", pace);
    }

    /** Adds a round of another source; empty = the broker. */
    void add(final String source, final Pace pace) {
        paces.computeIfAbsent(source, unused -> new ArrayList<>()).add(pace);
    }

    boolean isEmpty() {
        return paces.values().iterator().next().isEmpty();
    }

    /** Things the broker did in a second. */
    double perS() {
        return perS("");
    }

    /** Things a source did in a second. */
    double perS(final String source) {
        return median(source, false);
    }

    /** Things a source did in a second of CPU time; 0 for none. */
    double perCpuS(final String source) {
        return median(source, true);
    }

    private double median(final String source, final boolean isOfCpu) {
        return Figure.median(paces.getOrDefault(source, List.of()).stream()
                .mapToDouble(pace -> isOfCpu ? pace.perCpuS() : pace.perS())
                .toArray());
    }

    /**
     * The medians, and those of the rounds' ratios.
     *
     * @param ghz clock of the CPU.
     */
    Json json(final double ghz) {
        final Json json = new Json();
        paces.forEach((source, rounds) -> {
            final String before = source.isEmpty() ? "" : source + "_";
            json.field(before + unit + "_per_s", perS(source))
                    .field(before + unit + "_per_cpu_s", perCpuS(source))
                    .field(before + unit + "_per_core_per_ghz", perCpuS(source) / ghz);
            if (!source.isEmpty()) {
                final List<Pace> ours = paces.getOrDefault("", List.of());
                Digits.field(json, "ratio_to_" + source, Figure.ratio(ours, rounds, false));
                Digits.field(json, "cpu_ratio_to_" + source, Figure.ratio(ours, rounds, true));
            }
        });
        return json;
    }
}
