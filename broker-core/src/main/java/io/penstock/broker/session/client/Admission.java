package io.penstock.broker.session.client;

import io.penstock.broker.security.AccessGate;
import io.penstock.broker.topic.TopicRules;

/**
 * Decides what clients may do, and how topics that they create are configured.
 *
 * @param gate  that every command passes.
 * @param rules for new topics.
 */
public record Admission(AccessGate gate, TopicRules rules) {}
