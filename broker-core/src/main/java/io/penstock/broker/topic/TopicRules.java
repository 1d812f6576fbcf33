package io.penstock.broker.topic;

import io.penstock.format.FieldPath;
import io.penstock.format.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Which format and shard a topic gets when it is created. Shared by all agents; others may take the place of the rules
 * while they are in use, as long as the shard of no name changes by that.
 */
public final class TopicRules {
    private final AtomicReference<Rules> rules;
    private final AtomicInteger changeCount = new AtomicInteger();
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
        this.rules = new AtomicReference<>(new Rules(rules, formatDefault));
        this.shardCount = shardCount;
        this.hasJournal = hasJournal;
    }

    /**
     * Whether every name would have the same shard by other rules. Topics that are there stay in their shards, so that no
     * other rules can take the place of these. Rules that name a shard, or keep topics out of files, and those before them
     * have to be the same for that.
     *
     * @param other for the same shards.
     * @return whether they put all names where these do.
     */
    public boolean hasPlacesOf(final TopicRules other) {
        return places(rules()).equals(places(other.rules()));
    }

    /** What decides where names are, up to the last rule that puts them elsewhere than no rule would. */
    private List<Object> places(final Rules of) {
        final List<Object> places = new ArrayList<>();
        int count = 0;
        for (final Rule rule : of.list()) {
            places.add(List.of(rule.names().text(), rule.names().isLiteral(), rule.shard(), rule.journaled()));
            if (rule.shard() >= 0 || (hasJournal && !rule.journaled())) {
                count = places.size();
            }
        }
        return places.subList(0, count);
    }

    /**
     * Takes the rules of others, for topics that are created from now on, and for the columns of all. Any thread.
     *
     * @param other whose places are those of these; see {@link #hasPlacesOf}.
     */
    public void replaceBy(final TopicRules other) {
        rules.set(other.rules());
        changeCount.incrementAndGet();
    }

    /**
     * How often the rules were replaced. What was asked of them before holds at the same count. Any thread.
     *
     * @return count.
     */
    public int changeCount() {
        return changeCount.get();
    }

    /** Whether columns of any topic are named. Any thread. */
    public boolean nameColumns() {
        // By index, since it is asked each second and nothing is to be allocated for that.
        final List<Rule> all = rules().list();
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).columns().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Fields of a topic whose columns are made before a query wants them. Any thread.
     *
     * @param name of the topic.
     * @return each once, in the order in which they are to have memory.
     */
    public List<FieldPath> columns(final String name) {
        final Rule rule = ruleFor(name);
        return rule == null ? List.of() : rule.columns();
    }

    /**
     * The format of a new topic.
     *
     * @param name of the topic.
     * @return its format.
     */
    public MessageFormat format(final String name) {
        final Rule rule = ruleFor(name);
        return rule == null ? rules().formatDefault() : rule.format();
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

    private Rules rules() {
        return Objects.requireNonNull(rules.get());
    }

    private @Nullable Rule ruleFor(final String name) {
        for (final Rule rule : rules().list()) {
            if (rule.names().matches(name)) {
                return rule;
            }
        }
        return null;
    }

    private static int spread(final int hash) {
        return (hash ^ (hash >>> 16)) * 0x45D9F3B;
    }

    private record Rules(List<Rule> list, MessageFormat formatDefault) {
        private Rules {
            list = List.copyOf(list);
        }
    }

    /**
     * One rule.
     *
     * @param names  it is for.
     * @param format of the topics that match.
     * @param shard  of the topics that match, or negative for the hash of the name.
     * @param state  of the topics that match, or null.
     * @param journaled whether the topics that match are written to files, if there are any.
     * @param columns fields of the topics that match whose columns are made ahead.
     */
    public record Rule(
            TopicPattern names,
            MessageFormat format,
            int shard,
            @Nullable StateRule state,
            boolean journaled,
            List<FieldPath> columns) {}
}
