package io.penstock.admin.metrics;

import io.penstock.broker.concurrent.LatencyHistogram;
import io.penstock.broker.metric.BrokerMetrics;
import io.penstock.broker.metric.Metric;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects samples and writes them as text of OpenMetrics 1.0. Not thread-safe. */
final class OpenMetrics {
    static final String MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final Map<String, Family> families = new TreeMap<>();

    /** The samples of a metric, by their labels. */
    private record Family(Metric metric, Map<String, String> samples) {}

    /** Adds a sample with labels: names and values in turn. */
    OpenMetrics add(final Metric metric, final double value, final String... labels) {
        final String suffix = switch (metric.type()) {
            case COUNTER -> "_total";
            case INFO -> "_info";
            default -> "";
        };
        family(metric).samples.put(text(labels), sample(metric.name() + suffix, text(labels), number(value)));
        return this;
    }

    /** Adds a histogram: how many times were up to each bound, all of them, and their sum. */
    void add(final BrokerMetrics.Times histogram) {
        final String name = histogram.metric().name();
        final String[] labels = histogram.labels().toArray(new String[0]);
        final LatencyHistogram.Snapshot times = histogram.times();
        final StringBuilder samples = new StringBuilder();
        long count = 0;
        for (int i = 0; i <= LatencyHistogram.BOUND_COUNT; i++) {
            count += times.counts().get(i);
            final String[] bucket = Arrays.copyOf(labels, labels.length + 2);
            bucket[labels.length] = "le";
            bucket[labels.length + 1] = i < LatencyHistogram.BOUND_COUNT
                    ? Double.toString(LatencyHistogram.boundNs(i) / 1e9).toLowerCase(Locale.ROOT)
                    : "+Inf";
            samples.append(sample(name + "_bucket", text(bucket), Long.toString(count)))
                    .append('\n');
        }
        samples.append(sample(name + "_count", text(labels), Long.toString(count)))
                .append('\n')
                .append(sample(name + "_sum", text(labels), number(times.sumNs() / 1e9)));
        family(histogram.metric()).samples.put(text(labels), samples.toString());
    }

    private Family family(final Metric metric) {
        return families.computeIfAbsent(metric.name(), name -> new Family(metric, new TreeMap<>()));
    }

    private static String text(final String... labels) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? "{" : ",")
                    .append(labels[i])
                    .append("=\"")
                    .append(escaped(labels[i + 1], true))
                    .append('"');
        }
        return text.append(labels.length > 0 ? "}" : "").toString();
    }

    private static String sample(final String name, final String labels, final String value) {
        return name + labels + " " + value;
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
            family.samples.values().forEach(sample -> text.append(sample).append('\n'));
        }
        return text.append("# EOF\n").toString();
    }
}
