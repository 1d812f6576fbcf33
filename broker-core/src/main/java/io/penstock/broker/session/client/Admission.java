package io.penstock.broker.session.client;

import io.penstock.broker.security.AccessGate;
import io.penstock.broker.topic.TopicRules;

/**
 * What decides on who may do what, and on what topics become that clients create.
 *
 * @param gate  that every command passes.
 * @param rules for new topics.
 */
public record Admission(AccessGate gate, TopicRules rules) {}
