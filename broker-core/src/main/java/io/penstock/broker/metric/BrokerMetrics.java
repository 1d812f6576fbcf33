package io.penstock.broker.metric;

import io.penstock.broker.concurrent.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/** The counters and histograms of a broker under the names that those who collect metrics know them by. */
public final class BrokerMetrics {
    private static final Pattern NUMBERED_OWNER = Pattern.compile("(shard|io)-(\\d+)");
    private static final Pattern NUMBERED_NAME = Pattern.compile("(.+)-(\\d+)");

    private static final Metric DUTY_CYCLE =
            Metric.times("penstock_duty_cycle", "Duty cycles with work of a thread of the broker.");
    private static final Map<String, Metric> TIMES = Map.of(
            "io.delivery",
            Metric.times(
                    "penstock_delivery",
                    "From applying a record to its being taken by a connection; one record a duty cycle."),
            "io.query",
            Metric.times("penstock_query", "From the start of a query to its last record being taken."),
            "shard.persist",
            Metric.times(
                    "penstock_shard_persist",
                    "From applying the oldest record of a group to the group being on stable storage."));

    private BrokerMetrics() {}

    /**
     * A counter.
     *
     * @param metric that it belongs to.
     * @param labels names and values in turn.
     * @param id     of the counter.
     * @param value  of it.
     */
    public record Count(Metric metric, List<String> labels, int id, long value) {
        public Count {
            labels = List.copyOf(labels);
        }
    }

    /**
     * A histogram.
     *
     * @param metric that it belongs to.
     * @param labels names and values in turn.
     * @param times  that were counted.
     */
    public record Times(Metric metric, List<String> labels, LatencyHistogram.Snapshot times) {
        public Times {
            labels = List.copyOf(labels);
        }
    }

    /**
     * All counters.
     *
     * @param counters of a broker.
     * @return in the order of the counters.
     */
    public static List<Count> counts(final CountersReader counters) {
        final List<Count> counts = new ArrayList<>();
        counters.forEach((value, id, label) -> counts.add(count(label, id, value)));
        return counts;
    }

    private static Count count(final String label, final int id, final long value) {
        final int dot = label.indexOf('.');
        final String owner = label.substring(0, dot);
        final String name = label.substring(dot + 1);
        if (name.equals("cpu")) {
            return new Count(CounterMetrics.CPU, List.of("thread", owner), id, value);
        }
        final Matcher numberedOwner = NUMBERED_OWNER.matcher(owner);
        final Matcher numberedName = NUMBERED_NAME.matcher(name);
        final boolean isOwnerNumbered = numberedOwner.matches();
        final boolean isNameNumbered = numberedName.matches();
        final String kind = isOwnerNumbered ? numberedOwner.group(1) : owner;
        final Metric metric = CounterMetrics.find(kind, isNameNumbered ? numberedName.group(1) : name);
        final List<String> labels;
        if (metric == null) {
            return new Count(CounterMetrics.OTHER, List.of("owner", owner, "name", name), id, value);
        } else if (isNameNumbered) {
            labels = List.of(kind, numberedOwner.group(2), reader(name), numberedName.group(2));
        } else if (isOwnerNumbered) {
            labels = List.of(kind, numberedOwner.group(2));
        } else {
            labels = List.of();
        }
        return new Count(metric, labels, id, value);
    }

    /** The label of the number at the end of a counter's name. */
    private static String reader(final String name) {
        return name.startsWith("processed") ? "io" : "reader";
    }

    /**
     * All histograms.
     *
     * @param all of a broker.
     * @return those that have a metric, in their order.
     */
    public static List<Times> times(final List<LatencyHistogram.Snapshot> all) {
        final List<Times> times = new ArrayList<>();
        for (final LatencyHistogram.Snapshot each : all) {
            final Matcher owner = NUMBERED_OWNER.matcher(each.owner());
            final @Nullable Metric metric = owner.matches() ? TIMES.get(owner.group(1) + "." + each.name()) : null;
            if (metric != null) {
                times.add(new Times(metric, List.of(owner.group(1), owner.group(2)), each));
            } else if (each.name().equals("dutyCycle")) {
                times.add(new Times(DUTY_CYCLE, List.of("thread", each.owner()), each));
            }
        }
        return times;
    }
}
