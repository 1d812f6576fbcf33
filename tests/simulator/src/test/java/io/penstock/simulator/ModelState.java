package io.penstock.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state that follows from logs: records of topics with state, and publishers' sequences. A replay by a naive model.
 */
final class ModelState {
    private final Map<String, Map<String, Map<String, String>>> records = new TreeMap<>();
    private final Map<String, Long> expirations = new HashMap<>();
    private final Shard[] shards;
    private final History history;
    final Reached reached;

    /** Messages that a view of the last ones is of, in their order. */
    final List<ModelWindow.Said> said = new ArrayList<>();

    final ModelViews views;

    /** What counts within one shard's log. */
    private static final class Shard {
        private final Map<Integer, String> topics = new HashMap<>();
        private final Map<Integer, String> publishers = new HashMap<>();
        private final Map<String, Long> lastSequences = new HashMap<>();
        private int appliedCount;
    }

    ModelState(final int shardCount, final History history, final Reached reached, final ModelViews views) {
        this.history = history;
        this.reached = reached;
        this.views = views;
        shards = new Shard[shardCount];
        for (int i = 0; i < shardCount; i++) {
            shards[i] = new Shard();
        }
        topics().forEach(topic -> records.put(topic, new TreeMap<>()));
    }

    /** Names of topics with state. */
    List<String> topics() {
        final List<String> names = new ArrayList<>(List.of(Topics.KEYED, Topics.EXPIRING, Topics.VIEW));
        names.addAll(views.topics());
        return names;
    }

    /** A copy, to go on with. */
    ModelState copy() {
        final ModelState copy = new ModelState(shards.length, history, reached, views);
        copy.said.addAll(said);
        records.forEach((topic, of) -> copy.records(topic).putAll(of));
        copy.expirations.putAll(expirations);
        for (int i = 0; i < shards.length; i++) {
            copy.shards[i].topics.putAll(shards[i].topics);
            copy.shards[i].publishers.putAll(shards[i].publishers);
            copy.shards[i].lastSequences.putAll(shards[i].lastSequences);
            copy.shards[i].appliedCount = shards[i].appliedCount;
        }
        return copy;
    }

    /** Records by their keys. */
    Map<String, Map<String, String>> records(final String topic) {
        return records.getOrDefault(topic, Map.of());
    }

    /** The name of a topic; empty when the log has none of that number. */
    String topic(final int shard, final int id) {
        return shards[shard].topics.getOrDefault(id, "");
    }

    /** The shard whose log has a topic; -1 when none has. */
    int shardOf(final String topic) {
        for (int i = 0; i < shards.length; i++) {
            if (shards[i].topics.containsValue(topic)) {
                return i;
            }
        }
        return -1;
    }

    /** What a view of the records has to be. */
    Map<String, Map<String, String>> view() {
        final Map<String, long[]> groups = new TreeMap<>();
        for (final Map<String, String> record : records(Topics.KEYED).values()) {
            final long[] group = groups.computeIfAbsent(record.getOrDefault("g", "null"), key -> new long[2]);
            group[0]++;
            group[1] += Long.parseLong(record.getOrDefault("v", "0"));
        }
        final Map<String, Map<String, String>> rows = new TreeMap<>();
        groups.forEach((key, group) ->
                rows.put(key, Map.of("g", key, "n", Long.toString(group[0]), "s", Long.toString(group[1]))));
        return rows;
    }

    /** Checks that nothing is there whose time is over. */
    void checkExpired(final long nowNs) {
        records.forEach((topic, of) -> {
            for (final String key : of.keySet()) {
                final long expiresNs = expirations.getOrDefault(topic + key, 0L);
                if (expiresNs > 0 && expiresNs < nowNs) {
                    throw new Violation("the record of " + topic + " " + key + " should have expired at " + expiresNs
                            + ", before " + nowNs);
                }
            }
        });
    }

    /** Applies what is new in a shard's log up to a record, and compares it with what was published. */
    void apply(final int number, final ModelLog log, final long end) {
        final Shard shard = shards[number];
        for (; shard.appliedCount < end; shard.appliedCount++) {
            final ModelLog.Entry entry = log.entries.get(shard.appliedCount);
            switch (entry.type()) {
                case ModelLog.TYPE_TOPIC -> shard.topics.put(entry.topicId(), topicName(entry.message()));
                case ModelLog.TYPE_PUBLISHER ->
                    shard.publishers.put(entry.publisherId(), publisherName(entry.message()));
                case ModelLog.TYPE_MESSAGE -> onMessage(number, shard, entry);
                case ModelLog.TYPE_DELETE -> onDelete(number, shard, entry);
                default -> throw new Violation("a record of type " + entry.type());
            }
        }
    }

    /** The name stands first in the record, after its length. */
    static String topicName(final String text) {
        return text.substring(2, 2 + text.charAt(0));
    }

    /** The client's name stands after the user's, which stands after its length. */
    static String publisherName(final String text) {
        final int colon = text.indexOf(':');
        return text.substring(colon + 1 + Integer.parseInt(text.substring(0, colon)));
    }

    /** Compares a snapshot with what there is after its record. */
    void compare(final int number, final ModelSnapshot snapshot) {
        final Shard shard = shards[number];
        if (shard.appliedCount != snapshot.sequence) {
            throw new IllegalStateException(shard.appliedCount + " records were applied, not " + snapshot.sequence);
        }
        final Map<String, Map<String, ModelSnapshot.Row>> expected = new TreeMap<>();
        for (final String topic : shard.topics.values()) {
            final Map<String, ModelSnapshot.Row> rows = new TreeMap<>();
            records(topic)
                    .forEach((key, record) -> rows.put(key, new ModelSnapshot.Row(expiresNs(topic, key), record)));
            if (!rows.isEmpty()) {
                expected.put(topic, rows);
            }
        }
        final Map<String, Long> lastSequences = new HashMap<>();
        shard.publishers.values().forEach(name -> lastSequences.put(name, shard.lastSequences.getOrDefault(name, 0L)));
        if (!snapshot.topics.equals(List.copyOf(new TreeMap<>(shard.topics).values()))
                || !snapshot.publishers.equals(lastSequences)
                || !snapshot.rows.equals(expected)) {
            throw new Violation("the snapshot as of record " + snapshot.sequence + " of shard " + number + " has "
                    + snapshot.topics + " " + snapshot.publishers + " " + snapshot.rows + "\nthere is "
                    + shard.topics + " " + lastSequences + " " + expected);
        }
    }

    private long expiresNs(final String topic, final String key) {
        final long expiresNs = expirations.getOrDefault(topic + key, 0L);
        return expiresNs == 0 ? ModelSnapshot.Row.NEVER : expiresNs;
    }

    private void onMessage(final int number, final Shard shard, final ModelLog.Entry entry) {
        final String topic = shard.topics.get(entry.topicId());
        if (topic == null) {
            throw new Violation("record " + entry.sequence() + ": its topic is not in the log before it");
        }
        if (Topics.isView(topic)) {
            views.check(this, number, topic, entry);
            final Map<String, String> row = Json.parse(entry.message());
            records(topic).put(Topics.key(topic, entry.key(), row), row);
            return;
        }
        final String publisher = shard.publishers.get(entry.publisherId());
        if (publisher == null) {
            throw new Violation("record " + entry.sequence() + ": its publisher is not in the log before it");
        }
        final Message message = history.find(publisher, entry.publisherSequence());
        if (message == null || !message.topic.equals(topic) || !message.key.equals(entry.key())) {
            throw new Violation("record " + entry.sequence() + " was never published so: " + publisher + " "
                    + entry.publisherSequence() + " " + entry.message() + ", but " + message);
        }
        final Long last = shard.lastSequences.put(publisher, entry.publisherSequence());
        if (last != null && last >= entry.publisherSequence()) {
            throw new Violation("record " + entry.sequence() + " was applied out of order or twice: " + publisher + " "
                    + entry.publisherSequence() + " after " + last);
        }
        history.onApplied(message);
        final Map<String, Map<String, String>> state = records.get(topic);
        Map<String, String> expected = message.members();
        if (state != null) {
            final String key = Topics.key(topic, entry.key(), expected);
            final Map<String, String> before = state.get(key);
            if (message.isDelta && before != null) {
                expected = Json.merge(before, expected);
                reached.add(Reached.State.DELTA_MERGED);
            }
            state.put(key, expected);
            expirations.put(topic + key, views.expiresNs(topic, entry));
        }
        final ModelWindow window = views.window;
        if (window != null && window.source().equals(topic)) {
            said.add(window.said(entry, expected));
        }
        if (!entry.message().equals(message.text) || message.isDelta) {
            checkMerged(entry, expected);
        }
    }

    private static void checkMerged(final ModelLog.Entry entry, final Map<String, String> expected) {
        if (!Json.parse(entry.message()).equals(expected)) {
            throw new Violation("record " + entry.sequence() + " is " + entry.message() + ", not " + expected);
        }
    }

    private void onDelete(final int number, final Shard shard, final ModelLog.Entry entry) {
        final String topic = shard.topics.getOrDefault(entry.topicId(), "");
        final Map<String, String> deleted = Json.parse(entry.message());
        final String key = Topics.key(topic, entry.key(), deleted);
        views.check(this, number, topic, entry);
        final Map<String, String> before = records(topic).remove(key);
        if (entry.isExpiry() && expirations.getOrDefault(topic + key, Long.MAX_VALUE) > entry.timestampNs()) {
            throw new Violation("record " + entry.sequence() + " has expired too early: " + deleted);
        }
        if (!deleted.equals(before)) {
            throw new Violation("record " + entry.sequence() + " deletes " + deleted + ", but there was " + before);
        }
        reached.add(entry.isExpiry() ? Reached.State.EXPIRED : Reached.State.DELETED);
    }
}
