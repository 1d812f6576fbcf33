package io.penstock.broker.shard.match;

import io.penstock.broker.topic.TopicPattern;
import org.jspecify.annotations.Nullable;

/**
 * What one part of a subscription wants from one shard. Immutable.
 *
 * @param part      unique number of this part, never used again.
 * @param sessionId of the client.
 * @param shard     this part is about.
 * @param topics    that it wants.
 * @param filter    text of the filter in canonical form; empty for everything.
 * @param follow    how it follows the records of a topic with state, or null when it gets messages as they are.
 */
public record Interest(
        long part,
        long sessionId,
        int shard,
        TopicPattern topics,
        String filter,
        @Nullable FollowOptions follow) {}
