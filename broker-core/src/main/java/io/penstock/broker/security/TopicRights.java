package io.penstock.broker.security;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.format.FieldSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client may do with the messages of one topic: for each action the condition that messages have to satisfy, in
 * canonical form; empty for every message, null when the action is denied. Immutable.
 *
 * @param publish   messages that it may publish.
 * @param delta     changes of records that it may publish.
 * @param subscribe messages that it may be sent as they come.
 * @param query     records that it may be sent.
 * @param replay    earlier messages that it may be sent.
 * @param delete    records that it may delete.
 * @param hidden    fields of messages that it is not sent, whichever way.
 */
public record TopicRights(
        @Nullable String publish,
        @Nullable String delta,
        @Nullable String subscribe,
        @Nullable String query,
        @Nullable String replay,
        @Nullable String delete,
        FieldSelection hidden) {
    /**
     * What a client may do with the messages of a topic, by the permissions that hold now.
     *
     * @param gate      that decides.
     * @param principal who it is.
     * @param topic     name of it.
     * @return the conditions.
     */
    public static TopicRights of(final AccessGate gate, final Principal principal, final String topic) {
        final FieldSelection hidden = gate.hidden(principal, topic);
        final TopicRights rights = new TopicRights(
                gate.condition(principal, List.of(Action.PUBLISH), topic),
                gate.condition(principal, List.of(Action.PUBLISH, Action.DELTA), topic),
                gate.condition(principal, List.of(Action.SUBSCRIBE), topic),
                gate.condition(principal, List.of(Action.QUERY), topic),
                gate.condition(principal, List.of(Action.REPLAY), topic),
                gate.condition(principal, List.of(Action.DELETE), topic),
                hidden == null ? FieldSelection.NONE : hidden);
        return hidden == null ? rights.withoutReading() : rights;
    }

    /** The same, without any right to be sent messages. */
    public TopicRights withoutReading() {
        return new TopicRights(publish, delta, null, null, null, delete, FieldSelection.NONE);
    }

    /** The condition on records that are sent as what comes first of a subscription, and on what follows. */
    public @Nullable String stateFirst() {
        return both(subscribe, query);
    }

    /** The condition on messages of a subscription from a place of the log. */
    public @Nullable String fromLog() {
        return both(subscribe, replay);
    }

    /** The condition on records as they were. */
    public @Nullable String past() {
        return both(query, replay);
    }

    private static @Nullable String both(final @Nullable String first, final @Nullable String second) {
        if (first == null || second == null) {
            return null;
        }
        try {
            return first.equals(second) ? first : FilterCompiler.allOf(first, second);
        } catch (final FilterException e) {
            // More than a filter may have: denied.
            return null;
        }
    }
}
