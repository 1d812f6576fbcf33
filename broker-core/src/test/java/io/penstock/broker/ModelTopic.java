package io.penstock.broker;

import io.penstock.client.RecordKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a topic with state holds, at each sequence since it began. */
class ModelTopic {
    static final long NEVER = Long.MAX_VALUE;

    final String name;
    final List<String> keyFields;
    final long expirationMs;
    final int shard;
    final List<Event> events = new ArrayList<>();
    private final Map<String, TreeMap<Long, Version>> history = new HashMap<>();

    /**
     * A record as a change left it.
     *
     * @param fields null when it was deleted.
     */
    record Version(String key, long sequence, @Nullable Map<String, @Nullable Object> fields, long expiresNs) {}

    /**
     * A change of a record.
     *
     * @param first  lowest sequence it may have: deletes of one command have their order from the broker.
     * @param last   highest sequence it may have.
     * @param before what was; null for nothing.
     * @param after  what is; its fields are null when it was deleted.
     * @param reason of a delete.
     */
    record Event(
            String key,
            long first,
            long last,
            @Nullable Version before,
            Version after,
            @Nullable RecordKind reason) {
        @Nullable
        Map<String, @Nullable Object> oldFields() {
            return before == null ? null : before.fields();
        }
    }

    ModelTopic(final String name, final List<String> keyFields, final long expirationMs, final int shard) {
        this.name = name;
        this.keyFields = keyFields;
        this.expirationMs = expirationMs;
        this.shard = shard;
    }

    boolean isPublisherKey() {
        return keyFields.isEmpty();
    }

    TopicConfig config() {
        final String key = isPublisherKey() ? TopicConfig.PUBLISHER_KEY : String.join(", ", keyFields);
        return new TopicConfig(name, false, "json", shard, key, expirationMs);
    }

    /** The key of a record, null when it has none. */
    @Nullable
    String key(final Map<String, @Nullable Object> fields, final String given) {
        if (isPublisherKey()) {
            return given;
        }
        final List<String> values = new ArrayList<>();
        for (final String field : keyFields) {
            final Object value = fields.get(field);
            if (value == null) {
                return null;
            }
            values.add(value.toString());
        }
        return String.join("|", values);
    }

    /** Whether it is computed from another topic, so that nobody publishes to it. */
    boolean isView() {
        return false;
    }

    /** A key as commands name it. */
    String keyText(final String key) {
        if (isPublisherKey()) {
            return key;
        }
        final String[] values = key.split("\\|", -1);
        final Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            fields.put(keyFields.get(i), values[i]);
        }
        return ModelJson.write(fields);
    }

    @Nullable
    Version newest(final String key) {
        return at(key, Long.MAX_VALUE);
    }

    /** A record at a sequence; null when there was none. */
    @Nullable
    Version at(final String key, final long sequence) {
        final TreeMap<Long, Version> versions = history.get(key);
        final Map.Entry<Long, Version> entry = versions == null ? null : versions.floorEntry(sequence);
        return entry == null || entry.getValue().fields() == null ? null : entry.getValue();
    }

    /** All records at a sequence. */
    Map<String, Version> at(final long sequence) {
        final Map<String, Version> records = new HashMap<>();
        for (final String key : history.keySet()) {
            final Version version = at(key, sequence);
            if (version != null) {
                records.put(key, version);
            }
        }
        return records;
    }

    Map<String, Version> newest() {
        return at(Long.MAX_VALUE);
    }

    /** Whether a sequence lies among deletes whose order is the broker's. */
    boolean isAmbiguous(final long sequence) {
        return events.stream().anyMatch(event -> event.first() <= sequence && sequence < event.last());
    }

    /** All versions that a record has had. */
    List<Version> versions(final String key) {
        final TreeMap<Long, Version> versions = history.get(key);
        return versions == null ? List.of() : List.copyOf(versions.values());
    }

    /** The change of a record that has a sequence. */
    @Nullable
    Event event(final String key, final long sequence) {
        for (int i = events.size() - 1; i >= 0 && events.get(i).last() >= sequence; i--) {
            final Event event = events.get(i);
            if (event.key().equals(key) && event.first() <= sequence) {
                return event;
            }
        }
        return null;
    }

    void put(final String key, final long sequence, final Map<String, @Nullable Object> fields, final long expiresNs) {
        add(sequence, sequence, new Version(key, sequence, fields, expiresNs), null);
    }

    void delete(final String key, final long first, final long last, final RecordKind reason) {
        add(first, last, new Version(key, last, null, NEVER), reason);
    }

    private void add(final long first, final long last, final Version version, final @Nullable RecordKind reason) {
        final Version before = newest(version.key());
        if (before == null && version.fields() == null) {
            throw new AssertionError("nothing to delete: " + version);
        }
        events.add(new Event(version.key(), first, last, before, version, reason));
        history.computeIfAbsent(version.key(), ignored -> new TreeMap<>()).put(version.sequence(), version);
    }
}
