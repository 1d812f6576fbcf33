package io.penstock.broker.shard.match;

import io.penstock.broker.topic.TopicPattern;
import org.jspecify.annotations.Nullable;

/**
 * The topics that one feed of a subscription wants from one shard. Immutable.
 *
 * @param feed      unique number of this feed, never used again.
 * @param sessionId of the client.
 * @param shard     this feed is about.
 * @param topics    that it wants.
 * @param filter    text of the filter in canonical form; empty for everything.
 * @param follow    how it follows the records of a topic with state, or null when it gets messages as they are.
 */
public record Interest(
        long feed,
        long sessionId,
        int shard,
        TopicPattern topics,
        String filter,
        @Nullable FollowOptions follow) {}
