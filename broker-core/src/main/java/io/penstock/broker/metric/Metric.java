package io.penstock.broker.metric;

/**
 * A metric. Immutable.
 *
 * @param name of it, without what its type puts behind; ends with its unit.
 * @param type of it.
 * @param unit of its values; empty for counts.
 * @param help what it is, for people.
 */
public record Metric(String name, MetricType type, String unit, String help) {
    public Metric {
        if (!unit.isEmpty() && !name.endsWith("_" + unit)) {
            throw new IllegalArgumentException("metric: does not end with its unit: " + name + " (add _" + unit + ")");
        }
    }

    /**
     * What only rises.
     *
     * @param name of it, without its unit.
     * @param help what it is, for people.
     */
    public static Metric counter(final String name, final String help) {
        return new Metric(name, MetricType.COUNTER, "", help);
    }

    /**
     * What rises and falls.
     *
     * @param name of it, without its unit.
     * @param help what it is, for people.
     */
    public static Metric gauge(final String name, final String help) {
        return new Metric(name, MetricType.GAUGE, "", help);
    }

    static Metric times(final String name, final String help) {
        return new Metric(name, MetricType.HISTOGRAM, "", help).seconds();
    }

    /** The same, in bytes. */
    public Metric bytes() {
        return new Metric(name + "_bytes", type, "bytes", help);
    }

    /** The same, in seconds. */
    public Metric seconds() {
        return new Metric(name + "_seconds", type, "seconds", help);
    }
}
