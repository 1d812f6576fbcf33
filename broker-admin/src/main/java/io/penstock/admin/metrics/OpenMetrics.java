package io.penstock.admin.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects samples and writes them as text of OpenMetrics 1.0. Not thread-safe. */
final class OpenMetrics {
    static final String MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final Map<String, Family> families = new TreeMap<>();

    /** The samples of a metric. */
    private record Family(Metric metric, List<String> samples) {}

    /** Adds a sample with labels: names and values in turn. */
    OpenMetrics add(final Metric metric, final double value, final String... labels) {
        final StringBuilder sample = new StringBuilder(metric.name());
        switch (metric.type()) {
            case COUNTER -> sample.append("_total");
            case INFO -> sample.append("_info");
            default -> {
                // The name alone.
            }
        }
        for (int i = 0; i < labels.length; i += 2) {
            sample.append(i == 0 ? "{" : ",")
                    .append(labels[i])
                    .append("=\"")
                    .append(escaped(labels[i + 1], true))
                    .append('"');
        }
        sample.append(labels.length > 0 ? "} " : " ").append(number(value));
        families.computeIfAbsent(metric.name(), name -> new Family(metric, new ArrayList<>()))
                .samples
                .add(sample.toString());
        return this;
    }

    private static String number(final double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return Long.toString((long) value);
        }
        if (Double.isNaN(value)) {
            return "NaN";
        }
        return Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value);
    }

    private static String escaped(final String text, final boolean isQuoted) {
        final String escaped = text.replace("\\", "\\\\").replace("\n", "\\n");
        return isQuoted ? escaped.replace("\"", "\\\"") : escaped;
    }

    /** The text. */
    String text() {
        final StringBuilder text = new StringBuilder();
        for (final Family family : families.values()) {
            final Metric metric = family.metric;
            text.append("# TYPE ")
                    .append(metric.name())
                    .append(' ')
                    .append(metric.type().name().toLowerCase(Locale.ROOT))
                    .append('\n');
            if (!metric.unit().isEmpty()) {
                text.append("# UNIT ")
                        .append(metric.name())
                        .append(' ')
                        .append(metric.unit())
                        .append('\n');
            }
            text.append("# HELP ")
                    .append(metric.name())
                    .append(' ')
                    .append(escaped(metric.help(), false))
                    .append('\n');
            family.samples.stream()
                    .sorted()
                    .forEach(sample -> text.append(sample).append('\n'));
        }
        return text.append("# EOF\n").toString();
    }
}
