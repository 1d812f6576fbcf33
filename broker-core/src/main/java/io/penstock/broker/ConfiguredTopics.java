package io.penstock.broker;

import io.penstock.broker.agent.EngineBuilder;
import io.penstock.broker.topic.ColumnNames;
import io.penstock.broker.topic.JoinRule;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.broker.topic.TopicRules;
import io.penstock.broker.topic.ViewRule;
import io.penstock.format.FieldPath;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The topics and views of a configuration. */
final class ConfiguredTopics {
    private ConfiguredTopics() {}

    /** The rules for new topics. */
    static TopicRules rules(final BrokerConfig config) {
        final List<TopicRules.Rule> rules = new ArrayList<>();
        final List<TopicConfig> topics = new ArrayList<>(config.topics());
        // A topic that is declared is as declared, wherever the rules stand that match its name too.
        topics.sort(Comparator.comparing(TopicConfig::pattern));
        for (final TopicConfig topic : topics) {
            final MessageFormat format = MessageFormats.formatFor(topic.format());
            final TopicPattern names =
                    topic.pattern() ? TopicPattern.regex(topic.name()) : TopicPattern.literal(topic.name());
            rules.add(new TopicRules.Rule(
                    names,
                    format,
                    topic.shard(),
                    state(topic, format),
                    topic.journaled(),
                    columns(topic, format, config)));
        }
        for (final ViewConfig view : config.views()) {
            // A view is in the shard of its source, which the rules before decide.
            final TopicRules soFar = rules(rules, config);
            final String source = view.sources().get(0);
            rules.add(
                    0,
                    new TopicRules.Rule(
                            TopicPattern.literal(view.name()),
                            soFar.format(source),
                            soFar.shard(source),
                            null,
                            true,
                            List.of()));
        }
        return rules(rules, config);
    }

    private static TopicRules rules(final List<TopicRules.Rule> rules, final BrokerConfig config) {
        return new TopicRules(
                rules,
                MessageFormats.formatFor(config.formatDefault()),
                config.shardCount(),
                config.journal().isUsed());
    }

    private static @Nullable StateRule state(final TopicConfig topic, final MessageFormat format) {
        if (topic.key().isEmpty()) {
            return null;
        }
        final StateRule rule = StateRule.of(topic.key(), TimeUnit.MILLISECONDS.toNanos(topic.expirationMs()));
        final String wrong = TopicRules.check(format, rule);
        if (wrong != null) {
            throw new IllegalArgumentException("topics: " + topic.name() + ": " + wrong);
        }
        return rule;
    }

    private static List<FieldPath> columns(
            final TopicConfig topic, final MessageFormat format, final BrokerConfig config) {
        try {
            final List<FieldPath> columns = ColumnNames.parse(topic.columns(), format);
            if (!columns.isEmpty() && config.state().columnLengthMax() == 0) {
                throw new IllegalArgumentException(
                        "columns: there is no memory for any (raise state.columnLengthMax, or leave this out)");
            }
            return columns;
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("topics: " + topic.name() + ": " + e.getMessage(), e);
        }
    }

    /** Creates topics and views that have names, before the engine starts. */
    static void declare(final BrokerConfig config, final EngineBuilder builder, final TopicRules rules) {
        for (final TopicConfig topic : config.topics()) {
            if (!topic.pattern()) {
                final String wrong = Topic.checkName(topic.name());
                if (wrong != null) {
                    throw new IllegalArgumentException("topics: " + wrong);
                }
                builder.declared()
                        .topic(rules.shard(topic.name()), topic.name(), topic.format(), rules.state(topic.name()));
            }
        }
        for (final ViewConfig view : config.views()) {
            final String wrong = shards(view, rules);
            if (wrong != null) {
                throw new IllegalArgumentException("views: " + wrong);
            }
            builder.declared().view(rules.shard(view.name()), rule(view));
        }
        builder.declared().end();
    }

    private static ViewRule rule(final ViewConfig view) {
        final ViewConfig.Join join = view.join();
        return new ViewRule(
                view.name(),
                view.sources().get(0),
                view.filter(),
                view.select(),
                view.groupBy(),
                view.window().rule(),
                join.isUsed()
                        ? new JoinRule(
                                join.right(),
                                join.leftName(),
                                join.rightName(),
                                join.type() == ViewConfig.JoinType.LEFT,
                                join.on())
                        : null);
    }

    /** What is wrong with the shards of the topics that a view is computed from; null when they are one. */
    static @Nullable String shards(final ViewConfig view, final TopicRules rules) {
        final ViewConfig.Join join = view.join();
        if (!join.isUsed() || rules.shard(join.left()) == rules.shard(join.right())) {
            return null;
        }
        return view.name() + ": " + join.left() + " is in shard " + rules.shard(join.left()) + ", " + join.right()
                + " in shard " + rules.shard(join.right())
                + " (give both the same topics.shard, and the same topics.journaled)";
    }
}
