package io.penstock.client;

/**
 * A topic of the broker.
 *
 * @param name     of the topic.
 * @param format   of its messages.
 * @param shard    that keeps it.
 * @param topicId  unique within the shard.
 * @param messages published to it since the broker started.
 */
public record TopicInfo(String name, String format, int shard, int topicId, long messages) {}
