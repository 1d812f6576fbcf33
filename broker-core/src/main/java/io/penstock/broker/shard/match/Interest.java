package io.penstock.broker.shard.match;

import io.penstock.broker.security.Entitlement;
import io.penstock.broker.topic.TopicPattern;
import org.jspecify.annotations.Nullable;

/**
 * The topics that one feed of a subscription wants from one shard. Immutable.
 *
 * @param feed        unique number of this feed, never used again.
 * @param sessionId   of the client.
 * @param shard       this feed is about.
 * @param topics      that it wants.
 * @param filter      text of the filter in canonical form; empty for everything.
 * @param follow      how it follows the records of a topic with state, or null when it gets messages as they are.
 * @param isLimited   whether the filter has what limits its client to some of the topic's messages: of a record that has left
 *                    it, the client is told what it was before.
 * @param entitlement what its client may be sent of each topic, when the topics are a pattern and that depends on the topic;
 *                    else null, and the filter says all.
 */
public record Interest(
        long feed,
        long sessionId,
        int shard,
        TopicPattern topics,
        String filter,
        @Nullable FollowOptions follow,
        boolean isLimited,
        @Nullable Entitlement entitlement) {
    /** One whose filter says all. */
    public Interest(
            final long feed,
            final long sessionId,
            final int shard,
            final TopicPattern topics,
            final String filter,
            final @Nullable FollowOptions follow) {
        this(feed, sessionId, shard, topics, filter, follow, false, null);
    }
}
