package io.penstock.admin.metrics;

/**
 * A metric. Immutable.
 *
 * @param name of it, without what its type puts behind; ends with its unit.
 * @param type of it.
 * @param unit of its values; empty for counts.
 * @param help what it is, for people.
 */
record Metric(String name, MetricType type, String unit, String help) {
    Metric {
        if (!unit.isEmpty() && !name.endsWith("_" + unit)) {
            throw new IllegalArgumentException("metric: does not end with its unit: " + name + " (add _" + unit + ")");
        }
    }

    static Metric counter(final String name, final String help) {
        return new Metric(name, MetricType.COUNTER, "", help);
    }

    static Metric gauge(final String name, final String help) {
        return new Metric(name, MetricType.GAUGE, "", help);
    }

    /** The same, in bytes. */
    Metric bytes() {
        return new Metric(name + "_bytes", type, "bytes", help);
    }

    /** The same, in seconds. */
    Metric seconds() {
        return new Metric(name + "_seconds", type, "seconds", help);
    }
}
