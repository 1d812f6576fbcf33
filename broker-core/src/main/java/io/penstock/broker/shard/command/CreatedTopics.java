package io.penstock.broker.shard.command;

import io.penstock.broker.security.Identity;
import io.penstock.broker.security.IdentityCounts;
import io.penstock.broker.topic.Topic;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which topics each {@link Identity} has created since the broker started, so that one that is deleted counts no more. Safe
 * on any thread; used when topics are created and deleted only. Bounded by the topics of all shards.
 */
public final class CreatedTopics {
    private final IdentityCounts counts;
    private final ConcurrentHashMap<Topic, String> creators = new ConcurrentHashMap<>();

    /**
     * None so far.
     *
     * @param countMax of one identity.
     */
    public CreatedTopics(final int countMax) {
        counts = new IdentityCounts(countMax);
    }

    /** Before topics are there. */
    public IdentityCounts counts() {
        return counts;
    }

    /**
     * A topic that was counted is there. Called by its shard's sequencer.
     *
     * @param identity who it counts for; empty for nobody.
     */
    void onCreated(final Topic topic, final String identity) {
        if (!identity.isEmpty()) {
            creators.put(topic, identity);
        }
    }

    /** A topic was deleted, and counts for nobody any more. Called by its shard's sequencer. */
    void onDeleted(final Topic topic) {
        final String identity = creators.remove(topic);
        if (identity != null) {
            counts.giveBack(identity);
        }
    }
}
