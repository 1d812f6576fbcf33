package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ModelTopic.Version;
import io.penstock.client.SowRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A query that was asked, what came for it, and what should have come. */
final class ModelQuery {
    final ModelTopic topic;
    final SowRequest request;
    final List<StateClient.Delivery> rows = new ArrayList<>();
    long sequence = -1;
    boolean ended;
    private final ModelFilter filter;
    private final ModelOrder order;
    private final List<String> keys;
    private final boolean projected;
    private final boolean aggregated;
    private final boolean grouped;
    private final boolean having;
    private long topicMatches;
    private long matches;
    private long returned;

    /** A query for everything, a record a page. */
    ModelQuery(final ModelTopic topic) {
        this.topic = topic;
        filter = ModelFilter.ALL;
        order = new ModelOrder(List.of());
        keys = List.of();
        projected = false;
        aggregated = false;
        grouped = false;
        having = false;
        request = SowRequest.topic(topic.name).batchSize(1);
    }

    ModelQuery(final ModelTopic topic, final Random random) {
        this.topic = topic;
        filter = ModelFilter.random(random);
        aggregated = random.nextInt(4) == 0;
        grouped = aggregated && random.nextInt(4) > 0;
        having = grouped && random.nextInt(3) == 0;
        order = aggregated
                ? new ModelOrder(grouped ? List.of(new ModelOrder.Item("g", random.nextBoolean(), null)) : List.of())
                : ModelOrder.random(topic, random);
        projected = !aggregated && random.nextInt(4) == 0;
        keys = random.nextInt(6) == 0 ? List.copyOf(pick(topic, random)) : List.of();
        SowRequest asked = SowRequest.topic(topic.name)
                .filter(filter.text())
                .orderBy(order.text())
                .keys(keys.stream().map(this::keyText).toList())
                .batchSize(random.nextInt(4))
                .top(random.nextInt(3) == 0 ? random.nextInt(10) : -1)
                .skip(random.nextInt(4) == 0 ? random.nextInt(4) : 0);
        if (aggregated) {
            final String prefix = grouped ? "g, " : "";
            asked = asked.select(prefix + ModelGroup.SELECT)
                    .groupBy(grouped ? "g" : "")
                    .having(having ? "n > 1" : "");
        } else if (projected) {
            asked = asked.select("p, t, /o/x, p * 2 + g AS e");
        }
        request = asked;
    }

    void onEnd(final long looked, final long matched, final long sent) {
        topicMatches = looked;
        matches = matched;
        returned = sent;
        ended = true;
    }

    /** Compares what came with the model. */
    void check() {
        if (topic.isAmbiguous(sequence)) {
            return;
        }
        if (topic instanceof ModelView view) {
            view.check(sequence);
        }
        final Map<String, Version> records = topic.at(sequence);
        if (!keys.isEmpty()) {
            records.keySet().retainAll(keys);
        }
        final Map<Long, Version> matching = new HashMap<>();
        records.values().stream()
                .filter(version -> filter.matches(version.fields()))
                .forEach(version -> matching.put(version.sequence(), version));
        assertThat(returned).isEqualTo(rows.size());
        if (aggregated || order.isGiven() || (request.top() < 0 && request.skip() == 0)) {
            assertThat(topicMatches).isEqualTo(records.size());
            assertThat(matches).isEqualTo(matching.size());
        }
        if (aggregated) {
            checkGroups(matching);
        } else {
            checkRecords(matching);
        }
    }

    private void checkRecords(final Map<Long, Version> matching) {
        final List<Version> expected = bounded(order.sorted(List.copyOf(matching.values())));
        assertThat(rows).as("of %s", matching).hasSize(expected.size());
        final Set<Long> seen = new HashSet<>();
        for (int i = 0; i < expected.size(); i++) {
            final StateClient.Delivery row = rows.get(i);
            final Version version = matching.get(row.sequence());
            assertThat(version).as("row %s", row).isNotNull();
            assertThat(seen.add(row.sequence())).as("once: %s", row).isTrue();
            assertThat(ModelJson.present(ModelJson.parse(row.text())))
                    .isEqualTo(ModelJson.present(project(version.fields())));
            assertThat(row.key()).isEqualTo(topic.isPublisherKey() ? version.key() : "");
            assertThat(order.key(version)).as("order at %d", i).isEqualTo(order.key(expected.get(i)));
        }
    }

    private void checkGroups(final Map<Long, Version> matching) {
        final Map<Double, List<Map<String, @Nullable Object>>> groups = new TreeMap<>();
        if (!grouped) {
            groups.put(0.0, new ArrayList<>());
        }
        for (final Version version : matching.values()) {
            final Object value = grouped ? version.fields().get("g") : Double.valueOf(0);
            groups.computeIfAbsent(value == null ? Double.NaN : (Double) value, ignored -> new ArrayList<>())
                    .add(version.fields());
        }
        final List<Map<String, @Nullable Object>> expected = new ArrayList<>();
        groups.forEach((value, members) -> {
            if (!having || members.size() > 1) {
                expected.add(ModelGroup.row(grouped ? value : null, members));
            }
        });
        final List<Map<String, @Nullable Object>> sorted = bounded(order.sortedRows(expected));
        assertThat(rows).as("groups %s", sorted).hasSize(sorted.size());
        for (int i = 0; i < sorted.size(); i++) {
            ModelGroup.assertSame(ModelJson.parse(rows.get(i).text()), sorted.get(i));
        }
    }

    private <T> List<T> bounded(final List<T> all) {
        final int from = Math.min(request.skip(), all.size());
        final int to = request.top() < 0 ? all.size() : Math.min(all.size(), from + request.top());
        return all.subList(from, to);
    }

    private Map<String, @Nullable Object> project(final @Nullable Map<String, @Nullable Object> fields) {
        if (!projected) {
            return fields;
        }
        final Map<String, @Nullable Object> row = new HashMap<>();
        row.put("p", fields.get("p"));
        row.put("t", fields.get("t"));
        row.put("x", ModelJson.at(fields, "/o/x"));
        row.put(
                "e",
                fields.get("p") instanceof Double p && fields.get("g") instanceof Double g
                        ? (Object) (p * 2 + g)
                        : null);
        return row;
    }

    private static Set<String> pick(final ModelTopic topic, final Random random) {
        final Set<String> keys = new HashSet<>();
        for (final String key : topic.newest().keySet()) {
            if (random.nextInt(3) == 0) {
                keys.add(key);
            }
        }
        return keys;
    }

    private String keyText(final String key) {
        return topic.keyText(key);
    }

    @Override
    public String toString() {
        return request + " at " + sequence;
    }
}
