package io.penstock.broker;

import io.penstock.broker.topic.StateRule;

/**
 * A declared topic, created at start, or a rule for topics that clients create by first use.
 *
 * @param name    of the topic; or, when {@code pattern}, a regular expression over whole names.
 * @param pattern whether this is a rule for the topics whose names match. The first matching rule counts.
 * @param format  of its messages, by name.
 * @param shard   that holds it, or {@link #SHARD_BY_HASH}.
 * @param key     paths of the fields that are the key, as {@code id} or {@code account, /order/id}: the topic keeps the
 *                last message of each key; {@link #PUBLISHER_KEY} when publishers give the key; empty for no state.
 * @param expirationMs after its last change a record is deleted, in milliseconds; 0 for never.
 * @param journaled    whether its messages are written to files, if the broker has any.
 * @param columns      paths of fields, as {@code price, /order/id}, whose columns are made before a query wants them and do
 *                     not give way to others; empty for none.
 */
public record TopicConfig(
        String name,
        boolean pattern,
        String format,
        int shard,
        String key,
        long expirationMs,
        boolean journaled,
        String columns) {
    /** The shard follows from the hash of the topic's name. */
    public static final int SHARD_BY_HASH = -1;

    /** Publishers give the key with each message. */
    public static final String PUBLISHER_KEY = StateRule.PUBLISHER_KEY;

    /** Longest expiration: a hundred years. */
    private static final long EXPIRATION_MS_MAX = 100L * 366 * 24 * 3600 * 1000;

    public TopicConfig {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("topics.name: empty (name the topic, or give a pattern)");
        }
        Limits.check("topics.shard", shard, SHARD_BY_HASH, BrokerConfig.SHARD_COUNT_MAX - 1);
        Limits.check("topics.expirationMs", expirationMs, 0, EXPIRATION_MS_MAX);
        if (expirationMs > 0 && key.isEmpty()) {
            throw new IllegalArgumentException(
                    "topics.expirationMs: a topic without state: " + name + " (give its key, or leave this out)");
        }
        if (!columns.isBlank() && key.isEmpty()) {
            throw new IllegalArgumentException(
                    "topics.columns: a topic without state: " + name + " (give its key, or leave this out)");
        }
    }

    /**
     * A topic without named columns.
     *
     * @param name         of the topic.
     * @param pattern      whether this is a rule.
     * @param format       of its messages.
     * @param shard        that holds it, or {@link #SHARD_BY_HASH}.
     * @param key          paths of the fields that are the key.
     * @param expirationMs of its records.
     * @param journaled    whether its messages are written to files.
     */
    public TopicConfig(
            final String name,
            final boolean pattern,
            final String format,
            final int shard,
            final String key,
            final long expirationMs,
            final boolean journaled) {
        this(name, pattern, format, shard, key, expirationMs, journaled, "");
    }

    /**
     * A topic whose messages are written to files, if the broker has any.
     *
     * @param name         of the topic.
     * @param pattern      whether this is a rule.
     * @param format       of its messages.
     * @param shard        that holds it, or {@link #SHARD_BY_HASH}.
     * @param key          paths of the fields that are the key.
     * @param expirationMs of its records.
     */
    public TopicConfig(
            final String name,
            final boolean pattern,
            final String format,
            final int shard,
            final String key,
            final long expirationMs) {
        this(name, pattern, format, shard, key, expirationMs, true);
    }

    /**
     * A topic without state.
     *
     * @param name   of the topic.
     * @param format of its messages.
     * @param shard  that holds it, or {@link #SHARD_BY_HASH}.
     */
    public TopicConfig(final String name, final boolean pattern, final String format, final int shard) {
        this(name, pattern, format, shard, "", 0, true);
    }

    public static TopicConfig topic(final String name, final String format) {
        return new TopicConfig(name, false, format, SHARD_BY_HASH);
    }

    /**
     * A topic that keeps the last message of each key.
     *
     * @param name   of the topic.
     * @param format of its messages.
     * @param key    paths of the fields that are the key, or {@link #PUBLISHER_KEY}.
     * @return a declared topic.
     */
    public static TopicConfig keyed(final String name, final String format, final String key) {
        return new TopicConfig(name, false, format, SHARD_BY_HASH, key, 0, true);
    }

    /**
     * The same with another expiration.
     *
     * @param value in milliseconds after the last change of a record; 0 for never.
     * @return the topic.
     */
    public TopicConfig expiringAfter(final long value) {
        return new TopicConfig(name, pattern, format, shard, key, value, journaled, columns);
    }

    /**
     * The same, in memory only.
     *
     * @return the topic.
     */
    public TopicConfig inMemory() {
        return new TopicConfig(name, pattern, format, shard, key, expirationMs, false, columns);
    }

    /**
     * The same with columns that are made before a query wants them.
     *
     * @param value paths of fields with commas between them; empty for none.
     * @return the topic.
     */
    public TopicConfig withColumns(final String value) {
        return new TopicConfig(name, pattern, format, shard, key, expirationMs, journaled, value);
    }

    public static TopicConfig rule(final String pattern, final String format) {
        return new TopicConfig(pattern, true, format, SHARD_BY_HASH);
    }
}
