package io.penstock.broker.agent;

import io.penstock.broker.journal.TopicRecord;
import io.penstock.broker.state.StateStore;
import org.jspecify.annotations.Nullable;

/**
 * A topic of a {@link StateImage}.
 *
 * @param said   by the log or a snapshot.
 * @param store  of its records, or null when it has no state.
 * @param replay into the store, or null.
 */
record ImageTopic(
        TopicRecord said,
        @Nullable StateStore store,
        @Nullable StateReplay replay) {}
