package io.penstock.broker.shard.recovery;

import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.broker.shard.store.StateStore;
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
