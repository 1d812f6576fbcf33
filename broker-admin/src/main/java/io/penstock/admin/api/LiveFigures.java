package io.penstock.admin.api;

import io.penstock.admin.http.Json;
import io.penstock.broker.Broker;
import io.penstock.broker.monitor.ShardInfo;
import java.util.HashMap;
import java.util.Map;

/** What the broker does at present, from one look at its counters to the next. Confined to the server's thread. */
final class LiveFigures {
    private final Broker broker;
    private final LiveTimes times = new LiveTimes();
    private Map<String, Long> before = Map.of();
    private long beforeNs;

    LiveFigures(final Broker broker) {
        this.broker = broker;
    }

    /** Forgets the last look: the next one is the first. */
    void forget() {
        before = Map.of();
        times.forget();
    }

    /**
     * Takes a look.
     *
     * @param nowMs       milliseconds since 1970.
     * @param streamCount streams of events that are open.
     * @return the beginning of an object; empty at the first look.
     */
    Json look(final long nowMs, final int streamCount) {
        final long nowNs = broker.config().nanoClock().nanoTime();
        final Map<String, Long> now = new HashMap<>();
        broker.counters()
                .forEach((value, id, label) -> now.merge(label.substring(label.indexOf('.') + 1), value, Long::sum));
        final Json json = new Json();
        if (!before.isEmpty()) {
            write(json.begin(), now, nowMs, (nowNs - beforeNs) / 1e9, streamCount);
        }
        before = now;
        beforeNs = nowNs;
        return json;
    }

    private void write(
            final Json json, final Map<String, Long> now, final long nowMs, final double seconds, final int streams) {
        final Runtime runtime = Runtime.getRuntime();
        String status = "none";
        long undurable = 0;
        for (final ShardInfo shard : broker.monitor().shards()) {
            if (shard.isJournaled()) {
                undurable += Math.max(0, shard.lastSequence() - shard.durableSequence());
                status = status.equals("none") || status.equals("ok") ? BrokerApi.status(shard) : status;
            }
        }
        json.field("timeMs", nowMs)
                .field("intervalMs", seconds * 1e3)
                .field("messagesIn", rate(now, "messagesReceived", seconds))
                .field("bytesIn", rate(now, "payloadBytesReceived", seconds))
                .field("messagesOut", rate(now, "messagesDelivered", seconds))
                .field("bytesOut", rate(now, "bytesDelivered", seconds))
                .field("connections", now.getOrDefault("connections", 0L))
                .field("sessions", now.getOrDefault("sessions", 0L))
                .field("subscriptions", ioSubscriptions())
                .field("subscriptionsBehind", now.getOrDefault("subscriptionsBehind", 0L))
                .field("cursors", now.getOrDefault("cursors", 0L) + now.getOrDefault("fileCursors", 0L))
                .field("queriesStarted", rate(now, "queries", seconds))
                .field("refused", rate(now, "commandsRefused", seconds))
                .field("errors", now.getOrDefault("errors", 0L))
                .field("journalSyncs", rate(now, "journalSyncs", seconds))
                .field("journalBytes", rate(now, "journalBytes", seconds))
                .field("journalStatus", status)
                .field("undurable", undurable)
                .field("heapUsedBytes", runtime.totalMemory() - runtime.freeMemory())
                .field("adminClients", streams);
        times.write(json, "times", broker.histograms());
    }

    /** Shards count feeds under the same name. */
    private long ioSubscriptions() {
        final long[] sum = new long[1];
        broker.counters().forEach((value, id, label) -> {
            if (label.startsWith("io-") && label.endsWith(".subscriptions")) {
                sum[0] += value;
            }
        });
        return sum[0];
    }

    private double rate(final Map<String, Long> now, final String name, final double seconds) {
        return (now.getOrDefault(name, 0L) - before.getOrDefault(name, 0L)) / seconds;
    }
}
