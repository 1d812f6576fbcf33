package io.penstock.broker.session.client;

import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.LogonThrottle;
import io.penstock.broker.security.LogonTurns;
import io.penstock.broker.topic.TopicRules;

/**
 * Decides what clients may do, and how topics that they create are configured.
 *
 * @param gate         that every command passes.
 * @param rules        for new topics.
 * @param throttle     of clients that guess.
 * @param turns        in which it is checked who clients are, which may take a while.
 */
public record Admission(AccessGate gate, TopicRules rules, LogonThrottle throttle, LogonTurns turns) {}
