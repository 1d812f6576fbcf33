package io.penstock.broker.security;

import io.penstock.format.FieldSelection;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A rule as it is for one user. Immutable.
 *
 * @param isAllow   or denies.
 * @param actions   that it is about.
 * @param topics    that it is about.
 * @param condition text in canonical form of the messages it is about; empty for every one.
 * @param hidden    fields that it does not show.
 * @param place     of the rule, for people.
 */
record BoundRule(
        boolean isAllow,
        Set<Action> actions,
        List<TopicRange> topics,
        String condition,
        FieldSelection hidden,
        String place) {
    /** The rule for some actions alone, wherever it stands, so that rules which say the same of them are equal. */
    BoundRule forActions(final Collection<Action> wanted) {
        final Set<Action> both = EnumSet.noneOf(Action.class);
        both.addAll(wanted);
        both.retainAll(actions);
        return new BoundRule(isAllow, both, topics, condition, hidden, "");
    }

    /** Whether the rule is about an action with a topic, or with what stands in its place. */
    boolean isAbout(final Action action, final String topic) {
        return actions.contains(action) && isAboutTopic(action, topic);
    }

    private boolean isAboutTopic(final Action action, final String topic) {
        for (final TopicRange range : topics) {
            // What is about no topic is allowed by any rule with its word, and denied by those about all topics.
            if (ActionWord.OF_NO_TOPIC.contains(action) ? isAllow || range.isAll() : range.matches(topic)) {
                return true;
            }
        }
        return false;
    }
}
