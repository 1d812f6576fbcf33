package io.penstock.standalone.top;

import io.penstock.client.TopicInfo;
import io.penstock.standalone.console.Json;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The difference between two samples, for people and for programs. */
final class LoadView {
    private final LoadSample before;
    private final LoadSample now;
    private final double seconds;

    LoadView(final LoadSample before, final LoadSample now) {
        this.before = before;
        this.now = now;
        seconds = Math.max(1e-3, (now.timeNs() - before.timeNs()) / (double) TimeUnit.SECONDS.toNanos(1));
    }

    /** A topic and how fast it is published to. */
    record Row(TopicInfo topic, double rate) {
        String json() {
            return new Json()
                    .field("topic", topic.name())
                    .field("rate", Math.round(rate))
                    .field("messages", topic.messages())
                    .field("format", topic.format())
                    .field("shard", topic.shard())
                    .end();
        }
    }

    /**
     * The topics, the busiest first; those that are as busy, the ones with most messages first.
     *
     * @param most that are wanted.
     */
    List<Row> rows(final int most) {
        final Map<String, Long> earlier = new HashMap<>();
        before.topics().forEach(topic -> earlier.put(topic.name(), topic.messages()));
        return now.topics().stream()
                .map(topic -> new Row(
                        topic,
                        // One that was deleted and made again counts from the start.
                        Math.max(0, topic.messages() - earlier.getOrDefault(topic.name(), 0L)) / seconds))
                .sorted(Comparator.comparingDouble(Row::rate)
                        .thenComparingLong(row -> row.topic().messages())
                        .reversed()
                        .thenComparing(row -> row.topic().name()))
                .limit(most)
                .toList();
    }

    /** Lines above the topics. */
    List<String> head(final String broker) {
        final long behind = now.counter("shard.subscriptionsBehind");
        final long unsynced = Math.max(0, now.counter("shard.writtenSequence") - now.counter("shard.durableSequence"));
        return List.of(
                broker,
                String.format(
                        Locale.ROOT,
                        "in %,.0f/s, out %,.0f/s; %,d client%s, %,d subscription%s, %,d behind%s",
                        rate("io.messagesReceived"),
                        rate("io.messagesDelivered"),
                        now.counter("io.sessions"),
                        now.counter("io.sessions") == 1 ? "" : "s",
                        now.counter("io.subscriptions"),
                        now.counter("io.subscriptions") == 1 ? "" : "s",
                        behind,
                        unsynced == 0
                                ? ""
                                : String.format(Locale.ROOT, "; %,d records not on stable storage yet", unsynced)));
    }

    private double rate(final String counter) {
        return Math.max(0, now.counter(counter) - before.counter(counter)) / seconds;
    }
}
