package io.penstock.broker.metric;

/** What the values of a metric mean. */
public enum MetricType {
    /** They only rise while the process runs. */
    COUNTER,
    /** They rise and fall. */
    GAUGE,
    /** They are counted by how great they are. */
    HISTOGRAM,
    /** There is one, with labels that tell something. */
    INFO,
    /** Nobody knows. */
    UNKNOWN
}
