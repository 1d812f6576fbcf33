package io.penstock.admin.metrics;

import io.penstock.broker.Broker;
import io.penstock.broker.metric.BrokerMetrics;
import io.penstock.broker.metric.Metric;
import io.penstock.broker.metric.MetricType;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.function.IntSupplier;

/** The metrics of a broker and its process. Safe on any thread. */
public final class AdminMetrics {
    /** The media type of {@link #text()}. */
    public static final String MEDIA_TYPE = OpenMetrics.MEDIA_TYPE;


    private static final Metric BUILD = new Metric("penstock_build", MetricType.INFO, "", "The version that runs.");
    private static final Metric READY = Metric.gauge("penstock_ready", "1 when the broker serves clients, else 0.");
    private static final Metric STARTED = Metric.gauge(
                    "penstock_process_start_time", "When the process started, since 1970.")
            .seconds();
    private static final Metric CPU_TIME =
            Metric.counter("penstock_process_cpu", "CPU time of the process.").seconds();
    private static final Metric HEAP_USED =
            Metric.gauge("penstock_heap_used", "Heap in use.").bytes();
    private static final Metric HEAP_MAX =
            Metric.gauge("penstock_heap_max", "Heap at most.").bytes();
    private static final Metric THREADS = Metric.gauge("penstock_threads", "Threads of the process.");
    private static final Metric COLLECTIONS = Metric.counter("penstock_gc_collections", "Collections of garbage.");
    private static final Metric COLLECTING = Metric.counter("penstock_gc", "Time spent on collections of garbage.")
            .seconds();
    private static final Metric ADMIN_CONNECTIONS =
            Metric.gauge("penstock_admin_connections", "Connections of the admin server.");
    private static final Metric ADMIN_STREAMS = Metric.gauge("penstock_admin_streams", "Streams of events.");
    private static final Metric ADMIN_REFUSED =
            Metric.counter("penstock_admin_requests_refused", "Requests that were refused, by their status.");
    private static final Metric ADMIN_TLS_FAILED = Metric.counter(
            "penstock_admin_tls_failed", "Connections of the admin server that were ended for what they did with TLS.");
    private static final Metric ADMIN_REQUESTS = Metric.counter("penstock_admin_requests", "Requests that were read.");

    private final Broker broker;
    private final AdminCounts admin;
    private final IntSupplier connections;
    private final IntSupplier streams;
    private final String version;

    /**
     * Makes the metrics of a broker.
     *
     * @param broker      of which.
     * @param admin       what the admin server has done.
     * @param connections of the admin server that are open.
     * @param streams     of events that are open.
     * @param version     of the broker.
     */
    public AdminMetrics(
            final Broker broker,
            final AdminCounts admin,
            final IntSupplier connections,
            final IntSupplier streams,
            final String version) {
        this.broker = broker;
        this.admin = admin;
        this.connections = connections;
        this.streams = streams;
        this.version = version;
    }

    /** All of them as they are now, as text of OpenMetrics 1.0. */
    public String text() {
        final OpenMetrics out = new OpenMetrics();
        BrokerMetrics.counts(broker.counters())
                .forEach(each ->
                        out.add(each.metric(), (double) each.value(), each.labels().toArray(new String[0])));
        BrokerMetrics.times(broker.histograms()).forEach(out::add);
        out.add(BUILD, 1, "version", version).add(READY, broker.notReady().isEmpty() ? 1 : 0);
        addProcess(out);
        out.add(ADMIN_CONNECTIONS, connections.getAsInt())
                .add(ADMIN_STREAMS, streams.getAsInt())
                .add(ADMIN_REQUESTS, (double) admin.requests())
                .add(ADMIN_TLS_FAILED, (double) admin.tlsFailed());
        admin.refused().forEach((status, count) -> out.add(ADMIN_REFUSED, count, "status", status.toString()));
        return out.text();
    }

    private static void addProcess(final OpenMetrics out) {
        final MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        out.add(STARTED, ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3)
                .add(HEAP_USED, (double) heap.getUsed())
                .add(HEAP_MAX, (double) heap.getMax())
                .add(THREADS, ManagementFactory.getThreadMXBean().getThreadCount());
        ProcessHandle.current().info().totalCpuDuration().ifPresent(time -> out.add(CPU_TIME, time.toNanos() / 1e9));
        for (final GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            out.add(COLLECTIONS, (double) Math.max(0, collector.getCollectionCount()), "collector", collector.getName())
                    .add(
                            COLLECTING,
                            Math.max(0, collector.getCollectionTime()) / 1e3,
                            "collector",
                            collector.getName());
        }
    }
}
