package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.agent.ThreadPlacement;
import io.penstock.broker.config.RecordBinder;
import io.penstock.broker.config.SecretKeys;
import io.penstock.broker.monitor.ShardInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;

/** Tells what runs: the process, its configuration, logs, threads and counters. */
final class BrokerApi {
    private static final int STACK_DEPTH = 16;
    private static final String[] STATUS = {"ok", "full", "failed"};

    private final Broker broker;
    private final Map<String, Record> otherConfigs;
    private final Workers workers;
    private final EpochClock clock;

    /** Tells of a broker, and of other configurations of the same process by their key. */
    BrokerApi(
            final Broker broker,
            final Map<String, Record> otherConfigs,
            final Workers workers,
            final EpochClock clock) {
        this.broker = broker;
        this.otherConfigs = Map.copyOf(otherConfigs);
        this.workers = workers;
        this.clock = clock;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/info", Access.READ, this::info)
                .add("GET", "/api/v1/config", Access.READ, this::config)
                .add("GET", "/api/v1/log", Access.READ, this::log)
                .add("GET", "/api/v1/threads", Access.READ, this::threads)
                .add("GET", "/api/v1/counters", Access.STAT, this::counters);
    }

    private void info(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final BrokerConfig config = broker.config();
        final Runtime runtime = Runtime.getRuntime();
        exchange.json(
                200,
                new Json()
                        .begin()
                        .field("version", version())
                        .field("jdk", Runtime.version().toString())
                        .field(
                                "os",
                                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                                        + System.getProperty("os.arch"))
                        .field("pid", ProcessHandle.current().pid())
                        .field("startedMs", ManagementFactory.getRuntimeMXBean().getStartTime())
                        .field("nowMs", clock.time())
                        .field("threading", config.threading().name())
                        .field("idle", config.idle().name())
                        .field("ioAgents", config.ioAgentCount())
                        .field("shards", broker.monitor().shards().size())
                        .field(
                                "endpoints",
                                broker.endpoints().stream().map(URI::toString).toList())
                        .field("formatDefault", config.formatDefault())
                        .field("heapUsedBytes", runtime.totalMemory() - runtime.freeMemory())
                        .field("heapMaxBytes", runtime.maxMemory())
                        .field("cpus", runtime.availableProcessors())
                        .end());
    }

    /** The version of the jar; {@code unknown} when the classes are in none. */
    static String version() {
        final String version = Broker.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    private void config(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Map<String, String> values = new TreeMap<>();
        final BrokerConfig config = broker.config();
        RecordBinder.addKeys(config, "", values);
        for (int i = 0; i < config.topics().size(); i++) {
            RecordBinder.addKeys(config.topics().get(i), "topics[" + i + "].", values);
        }
        for (int i = 0; i < config.views().size(); i++) {
            RecordBinder.addKeys(config.views().get(i), "views[" + i + "].", values);
        }
        for (int i = 0; i < config.sinks().files().size(); i++) {
            RecordBinder.addKeys(config.sinks().files().get(i), "sinks.files[" + i + "].", values);
        }
        otherConfigs.forEach((key, other) -> RecordBinder.addKeys(other, key + ".", values));
        final Json json = Pages.begin();
        values.forEach((key, value) -> json.begin()
                .field("key", key)
                .field("value", isSecret(key) && !value.isEmpty() ? "***" : value)
                .end());
        exchange.json(200, Pages.end(json, ""));
    }

    /** Whether the value of a key is shown to nobody. */
    static boolean isSecret(final String key) {
        return SecretKeys.contains(key);
    }

    private void log(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Json json = Pages.begin();
        for (final ShardInfo shard : broker.monitor().shards()) {
            json.begin()
                    .field("shard", shard.shard())
                    .field("journaled", shard.isJournaled())
                    .field("windowBytes", shard.windowLength())
                    .field("lastSequence", shard.lastSequence())
                    .field("publishedPosition", shard.publishedPosition())
                    .field("status", status(shard));
            if (shard.isJournaled()) {
                json.field("writtenSequence", shard.writtenSequence())
                        .field("durableSequence", shard.durableSequence())
                        .field("durablePosition", shard.durablePosition())
                        .field("syncs", shard.syncs())
                        .field("bytesWritten", shard.bytesWritten())
                        .field("snapshotSequence", shard.snapshotSequence())
                        .field("snapshotBytes", shard.snapshotLength())
                        .beginArray("files");
                shard.files()
                        .forEach(file -> json.begin()
                                .field("name", file.name())
                                .field("firstSequence", file.firstSequence())
                                .end());
                json.endArray();
            }
            json.end();
        }
        exchange.json(200, Pages.end(json, ""));
    }

    /** Whether a shard's journal takes records, in a word. */
    static String status(final ShardInfo shard) {
        return shard.isJournaled() ? STATUS[(int) Math.min(2, shard.journalStatus())] : "none";
    }

    private void threads(final Exchange exchange, final Caller caller, final List<String> arguments) {
        workers.run(exchange, () -> {
            final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            final boolean isTimed = threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
            final Json json = Pages.begin();
            for (final ThreadInfo info : threads.dumpAllThreads(false, false, STACK_DEPTH)) {
                json.begin()
                        .field("name", info.getThreadName())
                        .field("id", info.getThreadId())
                        .field("state", info.getThreadState().name());
                for (final ThreadPlacement placement : broker.placements()) {
                    if (info.getThreadName().endsWith(placement.role())) {
                        json.field("role", placement.role()).field("cpu", placement.cpu());
                    }
                }
                final long cpuNs = isTimed ? threads.getThreadCpuTime(info.getThreadId()) : -1;
                if (cpuNs >= 0) {
                    json.field("cpuMs", TimeUnit.NANOSECONDS.toMillis(cpuNs));
                }
                json.field(
                                "stack",
                                Arrays.stream(info.getStackTrace())
                                        .map(StackTraceElement::toString)
                                        .toList())
                        .end();
            }
            exchange.json(200, Pages.end(json, ""));
        });
    }

    private void counters(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final int limit = Pages.limit(exchange.request());
        final String after = exchange.request().parameter("cursor");
        final String prefix = exchange.request().parameter("prefix");
        final TreeMap<String, Long> all = new TreeMap<>();
        broker.counters().forEach((value, id, label) -> {
            if (label.startsWith(prefix) && label.compareTo(after) > 0) {
                all.put(label, value);
            }
        });
        final Json json = Pages.begin();
        String last = "";
        int count = 0;
        for (final Map.Entry<String, Long> each : all.entrySet()) {
            if (count++ == limit) {
                break;
            }
            last = each.getKey();
            final int dot = last.indexOf('.');
            json.begin()
                    .field("owner", last.substring(0, dot))
                    .field("name", last.substring(dot + 1))
                    .field("value", each.getValue())
                    .end();
        }
        exchange.json(200, Pages.end(json, count > limit ? last : ""));
    }
}
