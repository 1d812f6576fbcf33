package io.penstock.broker.match;

import io.penstock.broker.topic.TopicPattern;

/**
 * What one part of a subscription wants from one shard. Immutable; each agent compiles the filter for itself.
 *
 * @param part      unique number of this part, never used again.
 * @param sessionId of the client.
 * @param shard     this part is about.
 * @param topics    that it wants.
 * @param filter    text of the filter in canonical form; empty for everything.
 */
public record Interest(long part, long sessionId, int shard, TopicPattern topics, String filter) {}
