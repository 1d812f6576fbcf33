package io.penstock.broker;

import io.penstock.broker.ModelTopic.Version;
import io.penstock.client.RecordKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a broker with state should hold: its topics, and the sequences of its shards. */
final class StateModel {
    final List<ModelTopic> topics;
    private final long[] sequences;

    /** A message that was published, and of which it is not known yet whether it was refused. */
    record Publish(
            long commandId,
            ModelTopic topic,
            String key,
            Map<String, @Nullable Object> fields,
            boolean delta,
            long expirationMs) {}

    StateModel(final int shardCount) {
        topics = List.of(
                new ModelTopic("one", List.of("k"), 0, 0),
                new ModelTopic("two", List.of("a", "b"), 0, 1 % shardCount),
                new ModelTopic("given", List.of(), 0, 2 % shardCount),
                new ModelTopic("fading", List.of("k"), 200, 0));
        sequences = new long[shardCount];
    }

    long sequence(final ModelTopic topic) {
        return sequences[topic.shard];
    }

    long sequence(final int shard) {
        return sequences[shard];
    }

    void sequence(final int shard, final long sequence) {
        sequences[shard] = sequence;
    }

    void publish(final Publish message, final long nowNs) {
        final Map<String, @Nullable Object> fields = new HashMap<>();
        final Version before = message.topic().newest(message.key());
        if (message.delta() && before != null) {
            fields.putAll(before.fields());
        }
        fields.putAll(message.fields());
        final long afterMs = message.expirationMs() == 0 ? message.topic().expirationMs : message.expirationMs();
        final long expiresNs = afterMs <= 0 ? ModelTopic.NEVER : nowNs + TimeUnit.MILLISECONDS.toNanos(afterMs);
        message.topic().put(message.key(), ++sequences[message.topic().shard], fields, expiresNs);
    }

    /** Deletes records one after the other. */
    void delete(final ModelTopic topic, final List<String> keys) {
        for (final String key : keys) {
            final long sequence = ++sequences[topic.shard];
            topic.delete(key, sequence, sequence, RecordKind.OOF_DELETED);
        }
    }

    /** Deletes records in an order that is the broker's. */
    void deleteAll(final ModelTopic topic, final List<String> keys, final RecordKind reason) {
        if (!keys.isEmpty()) {
            final long first = sequences[topic.shard] + 1;
            sequences[topic.shard] += keys.size();
            keys.forEach(key -> topic.delete(key, first, sequences[topic.shard], reason));
        }
    }

    /** Deletes what has expired, and returns how much that was. */
    int expire(final long nowNs) {
        int count = 0;
        for (final ModelTopic topic : topics) {
            final List<String> keys = new ArrayList<>();
            topic.newest().values().forEach(version -> {
                if (version.expiresNs() <= nowNs) {
                    keys.add(version.key());
                }
            });
            deleteAll(topic, keys, RecordKind.OOF_EXPIRED);
            count += keys.size();
        }
        return count;
    }
}
