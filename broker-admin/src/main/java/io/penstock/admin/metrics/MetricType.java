package io.penstock.admin.metrics;

/** What the values of a metric mean. */
enum MetricType {
    /** They only rise while the process runs. */
    COUNTER,
    /** They rise and fall. */
    GAUGE,
    /** There is one, with labels that tell something. */
    INFO,
    /** Nobody knows. */
    UNKNOWN
}
