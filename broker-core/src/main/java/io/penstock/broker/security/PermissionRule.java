package io.penstock.broker.security;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSelection;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * What those who have a role may or may not do with some topics. One of {@code allow} and {@code deny} has words, the
 * other none. Immutable.
 *
 * @param allow  words for actions that are allowed.
 * @param deny   words for actions that are denied, whatever else allows them.
 * @param topics names, beginnings that end with {@code *}, or regular expressions between slashes, and no {@code *}
 *               elsewhere; of {@code deliver}, of sinks.
 * @param filter that a message satisfies for the rule to be about it, in the language of filters, with
 *               {@code USER('name')} for a user's attributes; empty for every message.
 * @param hide   fields of messages that those do not see who may read them by this rule.
 */
public record PermissionRule(
        List<String> allow, List<String> deny, List<String> topics, String filter, List<String> hide) {
    /** Rules of one role, and topics of one rule. */
    static final int COUNT_MAX = 1024;

    /** What is left out of a rule: it is about all topics and every message. */
    public static final PermissionRule DEFAULTS = new PermissionRule();

    private PermissionRule() {
        this(List.of(), List.of(), List.of(TopicRange.ALL), "", List.of());
    }

    public PermissionRule {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
        topics = List.copyOf(topics);
        hide = List.copyOf(hide);
    }

    /**
     * A rule that allows.
     *
     * @param words  for actions.
     * @param topics that it is about.
     * @param filter of messages; empty for every one.
     * @return the rule.
     */
    public static PermissionRule allow(final List<String> words, final List<String> topics, final String filter) {
        return new PermissionRule(words, List.of(), topics, filter, List.of());
    }

    /**
     * A rule that denies.
     *
     * @param words  for actions.
     * @param topics that it is about.
     * @param filter of messages; empty for every one.
     * @return the rule.
     */
    public static PermissionRule deny(final List<String> words, final List<String> topics, final String filter) {
        return new PermissionRule(List.of(), words, topics, filter, List.of());
    }

    /**
     * The same rule, with fields that it does not show.
     *
     * @param fields as filters write them.
     * @return the rule.
     */
    public PermissionRule hiding(final List<String> fields) {
        return new PermissionRule(allow, deny, topics, filter, fields);
    }

    boolean isAllow() {
        return deny.isEmpty();
    }

    Set<Action> actions() {
        return ActionWord.actions(isAllow() ? allow : deny);
    }

    /** The fields that it hides. */
    FieldSelection hidden() {
        final FieldSelection hidden =
                hide.isEmpty() ? FieldSelection.NONE : FieldSelection.parse("hide", String.join(", ", hide));
        if (hidden.hasHeaders()) {
            throw new IllegalArgumentException("hide: headers cannot be hidden: " + hidden.text() + " (name fields)");
        }
        return hidden;
    }

    /**
     * Refuses a rule that makes no sense.
     *
     * @param where the rule stands, for the beginning of the refusal.
     * @throws IllegalArgumentException with what is wrong with it.
     */
    public void check(final String where) {
        if (allow.isEmpty() == deny.isEmpty()) {
            throw new IllegalArgumentException(where + ": allow and deny: give words for one of them");
        }
        if (topics.isEmpty() || topics.size() > COUNT_MAX) {
            throw new IllegalArgumentException(
                    where + ": topics: " + topics.size() + " of them (use 1 to " + COUNT_MAX + ")");
        }
        try {
            topics.forEach(TopicRange::of);
            final Set<Action> actions = actions();
            if (!filter.isBlank() && !ActionWord.OF_MESSAGES.containsAll(actions)) {
                throw new IllegalArgumentException(
                        "filter: not for actions that are about no message (give those a rule of their own)");
            }
            if (!hidden().paths().isEmpty() && (!isAllow() || Collections.disjoint(actions, ActionWord.READ))) {
                throw new IllegalArgumentException(
                        "hide: in a rule that does not allow to read (hide fields in each rule that allows it)");
            }
            if (!filter.isBlank()) {
                FilterCompiler.boundText(filter, FilterLimits.DEFAULTS, name -> "");
            }
        } catch (final FilterException | IllegalArgumentException e) {
            throw new IllegalArgumentException(where + ": " + e.getMessage(), e);
        }
    }

    /** How the rule reads in an explanation. */
    @Override
    public String toString() {
        return (isAllow() ? "allow " + String.join(", ", allow) : "deny " + String.join(", ", deny)) + " on "
                + String.join(", ", topics) + (filter.isBlank() ? "" : " where " + filter)
                + (hide.isEmpty() ? "" : " without " + String.join(", ", hide));
    }
}
