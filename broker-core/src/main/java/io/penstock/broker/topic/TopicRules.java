package io.penstock.broker.topic;

import io.penstock.format.MessageFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which format and shard a topic gets when it is created. Immutable, shared by all agents. */
public final class TopicRules {
    private final List<Rule> rules;
    private final MessageFormat formatDefault;
    private final int shardCount;
    private final boolean hasJournal;

    /**
     * Makes the rules.
     *
     * @param rules         in order; the first whose pattern matches the whole name counts.
     * @param formatDefault when none does.
     * @param shardCount    shards that names are spread over.
     * @param hasJournal    whether those topics that are in memory only have as many shards of their own, after these.
     */
    public TopicRules(
            final List<Rule> rules, final MessageFormat formatDefault, final int shardCount, final boolean hasJournal) {
        this.rules = List.copyOf(rules);
        this.formatDefault = formatDefault;
        this.shardCount = shardCount;
        this.hasJournal = hasJournal;
    }

    /**
     * The format of a new topic.
     *
     * @param name of the topic.
     * @return its format.
     */
    public MessageFormat format(final String name) {
        final Rule rule = ruleFor(name);
        return rule == null ? formatDefault : rule.format();
    }

    /**
     * How a new topic keeps the last value of each key.
     *
     * @param name of the topic.
     * @return the rule, or null when it keeps none.
     */
    public @Nullable StateRule state(final String name) {
        final Rule rule = ruleFor(name);
        return rule == null ? null : rule.state();
    }

    /**
     * The shard of a topic, the same for ever.
     *
     * @param name of the topic.
     * @return shard number.
     */
    public int shard(final String name) {
        final Rule rule = ruleFor(name);
        final int first = hasJournal && rule != null && !rule.journaled() ? shardCount : 0;
        return first
                + (rule == null || rule.shard() < 0
                        ? Math.floorMod(spread(name.hashCode()), shardCount)
                        : rule.shard());
    }

    /**
     * Checks that a format can keep state by a rule.
     *
     * @param format of a topic.
     * @param rule   for it.
     * @return null when it can, else what is wrong.
     */
    public static @Nullable String check(final MessageFormat format, final StateRule rule) {
        if (rule.isPublisherKey()) {
            return null;
        }
        if (!format.hasFields()) {
            return "key: format " + format.name() + " has no fields: " + rule.key() + " (use the key "
                    + StateRule.PUBLISHER_KEY + ", given by publishers)";
        }
        try {
            return rule.keyFields().paths().isEmpty() ? "key: empty (name a field)" : null;
        } catch (final IllegalArgumentException e) {
            return "key: " + e.getMessage();
        }
    }

    private @Nullable Rule ruleFor(final String name) {
        for (final Rule rule : rules) {
            if (rule.names().matches(name)) {
                return rule;
            }
        }
        return null;
    }

    private static int spread(final int hash) {
        return (hash ^ (hash >>> 16)) * 0x45D9F3B;
    }

    /**
     * One rule.
     *
     * @param names  it is for.
     * @param format of the topics that match.
     * @param shard  of the topics that match, or negative for the hash of the name.
     * @param state  of the topics that match, or null.
     * @param journaled whether the topics that match are written to files, if there are any.
     */
    public record Rule(
            TopicPattern names,
            MessageFormat format,
            int shard,
            @Nullable StateRule state,
            boolean journaled) {}
}
