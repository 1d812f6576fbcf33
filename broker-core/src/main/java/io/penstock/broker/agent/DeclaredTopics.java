package io.penstock.broker.agent;

import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.recovery.RecoveredTopic;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Topics and views that a configuration declares. Used once, by the thread that starts the broker. */
public final class DeclaredTopics {
    private final List<Sequencer> sequencers;
    private final Set<Topic> recovered;

    DeclaredTopics(final List<Sequencer> sequencers, final Set<Topic> recovered) {
        this.sequencers = sequencers;
        this.recovered = recovered;
    }

    /**
     * Creates a declared topic, before the engine starts.
     *
     * @param shard  of the topic.
     * @param name   of the topic.
     * @param format of its messages.
     * @param state  how it keeps the last value of each key, or null.
     */
    public void topic(final int shard, final String name, final String format, final @Nullable StateRule state) {
        final Sequencer sequencer = sequencers.get(shard);
        final Topic known = sequencer.shard().commands().findTopic(name);
        if (known != null && recovered.contains(known)) {
            final String wrong = RecoveredTopic.difference(known, format, state);
            if (wrong != null) {
                throw new IllegalArgumentException("topics: " + name + ": " + wrong
                        + " (declare it as it was, or give the new topic another name)");
            }
            return;
        }
        if (known != null || sequencer.shard().commands().isTopicLimitReached()) {
            throw new IllegalArgumentException("topics: cannot declare: " + name
                    + " (declare each topic once, and no more than sessions.topicCountMax)");
        }
        if (sequencer.shard().commands().createTopic(name, format, state) == null) {
            throw new IllegalArgumentException("topics: cannot declare: " + name
                    + ": the log window has no room for so many topics (raise window.segmentLength)");
        }
        sequencer.doWork();
    }

    /**
     * Creates a view, before the engine starts.
     *
     * @param shard of the topic that it is computed from.
     * @param rule  for it.
     * @throws IllegalArgumentException with what is wrong with it.
     */
    public void view(final int shard, final ViewRule rule) {
        final Sequencer sequencer = sequencers.get(shard);
        String wrong;
        try {
            wrong = sequencer.shard().createView(rule, sequencer.history());
        } catch (final UncheckedIOException e) {
            throw new UncheckedIOException("views: " + rule.name() + ": " + e.getMessage(), e.getCause());
        } catch (final FilterException | IllegalArgumentException e) {
            wrong = e.getMessage();
        }
        if (wrong != null) {
            throw new IllegalArgumentException("views: " + rule.name() + ": " + wrong);
        }
    }

    /**
     * Puts what was created into the log. No row of a view is published before all views are there, so that views of views
     * miss none. Called before the engine starts.
     */
    public void end() {
        sequencers.forEach(Sequencer::onDeclared);
    }
}
