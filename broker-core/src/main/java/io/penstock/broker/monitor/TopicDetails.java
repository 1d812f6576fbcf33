package io.penstock.broker.monitor;

import io.penstock.broker.topic.Topic;

/**
 * What is known of a topic. Immutable.
 *
 * @param topic       the topic.
 * @param isJournaled whether its shard is written to files.
 * @param messages    published since the broker started.
 * @param rows        records of its state; negative when it has none.
 * @param length      of these records with their keys, in bytes; negative when it has none.
 */
public record TopicDetails(Topic topic, boolean isJournaled, long messages, long rows, long length) {}
