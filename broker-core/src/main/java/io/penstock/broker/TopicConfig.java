package io.penstock.broker;

/**
 * A declared topic, created at start, or a rule for topics that clients create by first use.
 *
 * @param name    of the topic; or, when {@code pattern}, a regular expression over whole names.
 * @param pattern whether this is a rule for the topics whose names match. The first matching rule counts.
 * @param format  of its messages, by name.
 * @param shard   that holds it, or {@link #SHARD_BY_HASH}.
 */
public record TopicConfig(String name, boolean pattern, String format, int shard) {
    /** The shard follows from the hash of the topic's name. */
    public static final int SHARD_BY_HASH = -1;

    public TopicConfig {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("topics.name: empty (name the topic, or give a pattern)");
        }
        Limits.check("topics.shard", shard, SHARD_BY_HASH, BrokerConfig.SHARD_COUNT_MAX - 1);
    }

    public static TopicConfig topic(final String name, final String format) {
        return new TopicConfig(name, false, format, SHARD_BY_HASH);
    }

    public static TopicConfig rule(final String pattern, final String format) {
        return new TopicConfig(pattern, true, format, SHARD_BY_HASH);
    }
}
