package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ModelTopic.Version;
import io.penstock.client.RecordKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a broker with state should hold: its topics, and the sequences of its shards. */
final class StateModel {
    /** Topics that are published to. */
    final List<ModelTopic> topics;

    final List<ModelView> views = new ArrayList<>();
    private final long[] sequences;

    /** Reports the sequences of changes; null when each change is the next one. */
    private @Nullable ModelWitness witness;

    /** What will be witnessed: messages in their order, and deletes in any. */
    private final Deque<Publish> awaited = new ArrayDeque<>();

    private final Map<String, RecordKind> awaitedDeletes = new HashMap<>();

    /** A message that was published, and of which it is not known yet whether it was refused. */
    record Publish(
            long commandId,
            ModelTopic topic,
            String key,
            Map<String, @Nullable Object> fields,
            boolean delta,
            long expirationMs) {}

    StateModel(final int shardCount) {
        topics = new ArrayList<>(List.of(
                new ModelTopic("one", List.of("k"), 0, 0),
                new ModelTopic("two", List.of("a", "b"), 0, 1 % shardCount),
                new ModelTopic("given", List.of(), 0, 2 % shardCount),
                new ModelTopic("fading", List.of("k"), 200, 0)));
        sequences = new long[shardCount];
    }

    /** Topics and views. */
    List<ModelTopic> all() {
        final List<ModelTopic> all = new ArrayList<>(topics);
        all.addAll(views);
        return all;
    }

    /** Takes sequences from a witness from now on, as there are views. */
    void witness(final ModelWitness by) {
        witness = by;
        all().forEach(by::follow);
    }

    /** A topic was declared, which is a record of its shard. */
    void add(final ModelTopic topic) {
        topics.add(topic);
        sequences[topic.shard]++;
        if (witness != null) {
            witness.follow(topic);
        }
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
        if (witness != null) {
            awaited.add(message);
        } else {
            apply(message, ++sequences[message.topic().shard], nowNs);
        }
    }

    private void apply(final Publish message, final long sequence, final long nowNs) {
        final Version before = message.topic().newest(message.key());
        final Map<String, @Nullable Object> fields = message.delta() && before != null
                ? ModelJson.merged(before.fields(), message.fields())
                : message.fields();
        final long afterMs = message.expirationMs() == 0 ? message.topic().expirationMs : message.expirationMs();
        final long expiresNs = afterMs <= 0 ? ModelTopic.NEVER : nowNs + TimeUnit.MILLISECONDS.toNanos(afterMs);
        message.topic().put(message.key(), sequence, fields, expiresNs);
    }

    /** Deletes records one after the other. */
    void delete(final ModelTopic topic, final List<String> keys) {
        if (witness != null) {
            deleteAll(topic, keys, RecordKind.OOF_DELETED);
            return;
        }
        for (final String key : keys) {
            final long sequence = ++sequences[topic.shard];
            topic.delete(key, sequence, sequence, RecordKind.OOF_DELETED);
        }
    }

    /** Deletes records in an order that is the broker's. */
    void deleteAll(final ModelTopic topic, final List<String> keys, final RecordKind reason) {
        final long first = sequences[topic.shard] + 1;
        sequences[topic.shard] += witness == null ? keys.size() : 0;
        deleteAll(topic, keys, reason, first, sequences[topic.shard]);
    }

    private void deleteAll(
            final ModelTopic topic,
            final List<String> keys,
            final RecordKind reason,
            final long first,
            final long last) {
        for (final String key : keys) {
            if (witness != null) {
                awaitedDeletes.put(topic.name + " " + key, reason);
            } else {
                topic.delete(key, first, last, reason);
            }
        }
    }

    /** Gives what was done the sequences that were witnessed: each of them, and each once. */
    void absorb(final long nowNs) {
        if (witness == null) {
            return;
        }
        final boolean mayBeLost = witness.mayBeLost();
        for (int shard = 0; shard < sequences.length; shard++) {
            final long since = sequences[shard];
            for (final ModelWitness.Seen seen : witness.take(shard)) {
                if (mayBeLost && seen.sequence() != sequences[shard] + 1) {
                    throw new ModelWitness.Lost();
                }
                assertThat(seen.sequence()).as("%s", seen).isEqualTo(++sequences[shard]);
                absorb(seen, since, nowNs);
            }
        }
        if (mayBeLost && !(awaited.isEmpty() && awaitedDeletes.isEmpty())) {
            throw new ModelWitness.Lost();
        }
        assertThat(awaited).as("published and not seen").isEmpty();
        assertThat(awaitedDeletes).as("deleted and not seen").isEmpty();
    }

    private void absorb(final ModelWitness.Seen seen, final long since, final long nowNs) {
        final ModelTopic topic = all().stream()
                .filter(each -> each.name.equals(seen.topic()))
                .findFirst()
                .orElseThrow();
        final Map<String, @Nullable Object> fields = ModelJson.parse(seen.text());
        if (seen.kind() != RecordKind.MESSAGE) {
            final String key = Objects.requireNonNull(topic.key(fields, seen.key()));
            if (!topic.isView()) {
                assertThat(awaitedDeletes.remove(topic.name + " " + key)).isEqualTo(seen.kind());
            }
            topic.delete(key, seen.sequence(), seen.sequence(), seen.kind());
        } else if (topic instanceof ModelView view) {
            view.onRow(seen.key(), seen.sequence(), fields, since);
        } else {
            final Publish message = awaited.stream()
                    .filter(each -> each.topic().shard == topic.shard)
                    .findFirst()
                    .orElseThrow();
            awaited.remove(message);
            assertThat(message.topic()).isSameAs(topic);
            apply(message, seen.sequence(), nowNs);
        }
    }

    /** Deletes what has expired, and returns how much that was. */
    int expire(final long nowNs) {
        final Map<ModelTopic, List<String>> expired = new LinkedHashMap<>();
        for (final ModelTopic topic : topics) {
            final List<String> keys = topic.newest().values().stream()
                    .filter(version -> version.expiresNs() <= nowNs)
                    .map(Version::key)
                    .toList();
            if (!keys.isEmpty()) {
                expired.put(topic, keys);
            }
        }
        // When the log has no room for a record of one topic the turn may be at the next one.
        final long[] before = sequences.clone();
        expired.forEach((topic, keys) -> sequences[topic.shard] += witness == null ? keys.size() : 0);
        expired.forEach((topic, keys) ->
                deleteAll(topic, keys, RecordKind.OOF_EXPIRED, before[topic.shard] + 1, sequences[topic.shard]));
        final int count = expired.values().stream().mapToInt(List::size).sum();
        absorb(nowNs);
        return count;
    }
}
