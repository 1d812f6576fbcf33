package io.penstock.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What logs say that there is: records of topics with state, and who has published what. A replay by a naive model. */
final class ModelState {
    private final Map<String, Map<String, Map<String, String>>> records = new TreeMap<>();
    private final Map<String, Long> expirations = new HashMap<>();
    private final Map<Integer, String> topics = new HashMap<>();
    private final Map<Integer, String> publishers = new HashMap<>();
    private final Map<String, Long> lastSequences = new HashMap<>();
    private final History history;
    private final Reached reached;

    ModelState(final History history, final Reached reached) {
        this.history = history;
        this.reached = reached;
        for (final String topic : new String[] {Topics.KEYED, Topics.EXPIRING, Topics.VIEW}) {
            records.put(topic, new TreeMap<>());
        }
    }

    /** Records by their keys. */
    Map<String, Map<String, String>> records(final String topic) {
        return records.getOrDefault(topic, Map.of());
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
        for (final String key : records(Topics.EXPIRING).keySet()) {
            final long expiresNs = expirations.getOrDefault(key, 0L);
            if (expiresNs > 0 && expiresNs < nowNs) {
                throw new Violation(
                        "the record of " + key + " should have expired at " + expiresNs + ", before " + nowNs);
            }
        }
    }

    /** Applies a shard's log, and compares it with what was published. Topics and publishers are numbered by shard. */
    void apply(final ModelLog log) {
        topics.clear();
        publishers.clear();
        lastSequences.clear();
        for (final ModelLog.Entry entry : log.entries) {
            switch (entry.type()) {
                case ModelLog.TYPE_TOPIC -> topics.put(entry.topicId(), topicName(entry.message()));
                case ModelLog.TYPE_PUBLISHER -> publishers.put(entry.publisherId(), publisherName(entry.message()));
                case ModelLog.TYPE_MESSAGE -> onMessage(entry);
                case ModelLog.TYPE_DELETE -> onDelete(entry);
                default -> throw new Violation("a record of type " + entry.type());
            }
        }
    }

    /** The name stands first in the record, after its length. */
    private static String topicName(final String text) {
        return text.substring(2, 2 + text.charAt(0));
    }

    /** The client's name stands after the user's, which stands after its length. */
    private static String publisherName(final String text) {
        final int colon = text.indexOf(':');
        return text.substring(colon + 1 + Integer.parseInt(text.substring(0, colon)));
    }

    private void onMessage(final ModelLog.Entry entry) {
        final String topic = topics.get(entry.topicId());
        if (topic == null) {
            throw new Violation("record " + entry.sequence() + ": its topic is not in the log before it");
        }
        if (topic.equals(Topics.VIEW)) {
            final Map<String, String> row = Json.parse(entry.message());
            records(topic).put(row.getOrDefault("g", ""), row);
            return;
        }
        final String publisher = publishers.get(entry.publisherId());
        if (publisher == null) {
            throw new Violation("record " + entry.sequence() + ": its publisher is not in the log before it");
        }
        final Message message = history.find(publisher, entry.publisherSequence());
        if (message == null || !message.topic.equals(topic) || !message.key.equals(entry.key())) {
            throw new Violation("record " + entry.sequence() + " was never published so: " + publisher + " "
                    + entry.publisherSequence() + " " + entry.message() + ", but " + message);
        }
        final Long last = lastSequences.put(publisher, entry.publisherSequence());
        if (last != null && last >= entry.publisherSequence()) {
            throw new Violation("record " + entry.sequence() + " was applied out of order or twice: " + publisher + " "
                    + entry.publisherSequence() + " after " + last);
        }
        history.onApplied(message);
        final Map<String, Map<String, String>> state = records.get(topic);
        Map<String, String> expected = message.members();
        if (state != null) {
            final String key = topic.equals(Topics.KEYED) ? expected.getOrDefault("id", "") : entry.key();
            final Map<String, String> before = state.get(key);
            if (message.isDelta && before != null) {
                expected = Json.merge(before, expected);
                reached.add(Reached.State.DELTA_MERGED);
            }
            state.put(key, expected);
            if (topic.equals(Topics.EXPIRING)) {
                expirations.put(key, entry.expiresNs());
            }
        }
        if (!Json.parse(entry.message()).equals(expected)) {
            throw new Violation("record " + entry.sequence() + " is " + entry.message() + ", not " + expected);
        }
    }

    private void onDelete(final ModelLog.Entry entry) {
        final String topic = topics.getOrDefault(entry.topicId(), "");
        final Map<String, String> deleted = Json.parse(entry.message());
        final String key = switch (topic) {
            case Topics.KEYED -> deleted.getOrDefault("id", "");
            case Topics.EXPIRING -> entry.key();
            case Topics.VIEW -> deleted.getOrDefault("g", "");
            default -> throw new Violation("record " + entry.sequence() + ": a delete of topic " + topic);
        };
        final Map<String, String> before = records(topic).remove(key);
        if (entry.isExpiry() && expirations.getOrDefault(key, Long.MAX_VALUE) > entry.timestampNs()) {
            throw new Violation("record " + entry.sequence() + " has expired too early: " + deleted);
        }
        if (!deleted.equals(before)) {
            throw new Violation("record " + entry.sequence() + " deletes " + deleted + ", but there was " + before);
        }
        reached.add(entry.isExpiry() ? Reached.State.EXPIRED : Reached.State.DELETED);
    }
}
