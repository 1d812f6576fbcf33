package io.penstock.broker.shard.match;

import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a subscription needs to follow a topic, made by an I/O agent so that the sequencer has nothing to
 * parse. They belong to the sequencer once they are handed over.
 */
public final class FollowFields {
    private final FieldSelection kept;

    private final @Nullable KeyReader conflationKey;

    private final @Nullable KeyReader otherConflationKey;

    private final int topicId;

    private FollowFields(final Topic topic, final @Nullable FieldSelection conflationKey) {
        final StateRule rule = topic.state();
        topicId = topic.id();
        kept = rule == null ? FieldSelection.NONE : rule.keyFields();
        this.conflationKey = conflationKey == null ? null : new KeyReader(topic.format(), conflationKey);
        otherConflationKey = conflationKey == null ? null : new KeyReader(topic.format(), conflationKey);
    }

    public @Nullable KeyReader otherConflationKey() {
        return otherConflationKey;
    }

    /** Read the conflation key of two messages; null when there is none. */
    public @Nullable KeyReader conflationKey() {
        return conflationKey;
    }

    public FieldSelection kept() {
        return kept;
    }

    /**
     * Makes it.
     *
     * @param topic   that is followed.
     * @param options how it is followed.
     * @return the fields, for one subscription.
     */
    public static FollowFields of(final Topic topic, final FollowOptions options) {
        return new FollowFields(topic, options.conflationKey());
    }

    /**
     * Whether these are the fields of a topic.
     *
     * @param topic of the same shard, or null.
     * @return false when it is another one that has the name now.
     */
    public boolean isOf(final @Nullable Topic topic) {
        return topic != null && topic.id() == topicId;
    }
}
