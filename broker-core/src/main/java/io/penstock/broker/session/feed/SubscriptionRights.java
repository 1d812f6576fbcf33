package io.penstock.broker.session.feed;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Entitlement;
import io.penstock.broker.security.Principal;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.FieldSelection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * By which rights a subscription has its messages: those of when it was made. Immutable.
 *
 * @param actions   that its client needs for each of its topics.
 * @param asked     filter of its client in canonical form; empty for everything.
 * @param condition of its one topic in canonical form; empty for every message, or when the topics are a pattern; null when
 *                  its client may not have it, or not give patterns.
 * @param ofPattern what its client may be sent of each topic, when the topics are a pattern and that depends on the topic.
 * @param hidden    fields of its one topic that its client is not sent; null when its client may have nothing.
 * @param mayHaveState whether its client may be sent the state of what it is sent the messages of, if that was not asked for:
 *                  it may lack the right, or see other records that way.
 */
public record SubscriptionRights(
        List<Action> actions,
        String asked,
        @Nullable String condition,
        @Nullable Entitlement ofPattern,
        @Nullable FieldSelection hidden,
        boolean mayHaveState) {
    private static final String NOTHING = "FALSE";
    private static final List<Action> LIVE = List.of(Action.SUBSCRIBE);
    private static final List<Action> STATE_FIRST = List.of(Action.SUBSCRIBE, Action.QUERY);
    private static final List<Action> REPLAY = List.of(Action.SUBSCRIBE, Action.REPLAY);

    /** What a client needs for a subscription, with state first or without. */
    public static List<Action> needed(final boolean isStateFirst) {
        return isStateFirst ? STATE_FIRST : LIVE;
    }

    /** What a client needs for a subscription from a place of the log. */
    public static List<Action> neededForReplay() {
        return REPLAY;
    }

    /** The rights of a client. */
    public static SubscriptionRights of(
            final AccessGate gate,
            final Principal principal,
            final List<Action> actions,
            final TopicPattern topics,
            final String asked) {
        if (topics.isLiteral()) {
            final FieldSelection hidden = gate.hidden(principal, topics.text());
            final boolean isDenied = hidden == null || Entitlement.tells(hidden, asked);
            final String condition = isDenied ? null : gate.condition(principal, actions, topics.text());
            final boolean mayHaveState = condition != null
                    && (actions.equals(STATE_FIRST)
                            || condition.equals(gate.condition(principal, STATE_FIRST, topics.text())));
            return new SubscriptionRights(actions, asked, condition, null, hidden, mayHaveState);
        }
        final boolean isAllowed = gate.allows(principal, Action.SUBSCRIBE_PATTERN, topics.text());
        final Entitlement ofPattern = gate.entitlement(principal, actions);
        // What cannot be decided is not taken, rather than taken and never sent.
        final boolean isDecided = !Entitlement.NOTHING.equals(ofPattern);
        return new SubscriptionRights(
                actions, asked, isAllowed && isDecided ? "" : null, ofPattern, FieldSelection.NONE, ofPattern == null);
    }

    /** The same rights by the permissions that hold now. */
    public SubscriptionRights now(final AccessGate gate, final Principal principal, final TopicPattern topics) {
        return of(gate, principal, actions, topics, asked);
    }

    /** Whether these are rights to the same messages. */
    public boolean isSame(final SubscriptionRights other) {
        return Objects.equals(condition, other.condition) && Objects.equals(ofPattern, other.ofPattern);
    }

    /** Whether its client may not see all messages of its one topic. */
    boolean isLimited() {
        return condition == null || !condition.isEmpty();
    }

    /** Asked for each run of messages that is sent: lists are compared by iterators, which are objects. */
    boolean isReplay() {
        return actions.get(actions.size() - 1) == Action.REPLAY;
    }

    /** Whether condition and filter together are more than a filter may have, so that nothing would be matched. */
    public boolean isTooMuch() {
        return isTooMuch(filter());
    }

    boolean isTooMuch(final String filter) {
        return condition != null && !condition.isEmpty() && !asked.isEmpty() && filter.equals(NOTHING);
    }

    /**
     * The condition and then the filter, in canonical form; empty for everything. The filter is not evaluated for what may not
     * be seen: how long that takes would tell something of it.
     */
    String filter() {
        try {
            return condition == null ? NOTHING : FilterCompiler.allOf(condition, asked);
        } catch (final FilterException e) {
            // Both together are more than a filter may have.
            return NOTHING;
        }
    }
}
