package io.penstock.broker.security;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
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
 */
public record TopicRights(
        @Nullable String publish,
        @Nullable String delta,
        @Nullable String subscribe,
        @Nullable String query,
        @Nullable String replay,
        @Nullable String delete) {
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
