package io.penstock.broker.session.client;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.session.send.SessionLatencies;

/**
 * Where an I/O agent reports what happens to its clients.
 *
 * @param broker   counters of the whole broker, which clients may read.
 * @param counters of this I/O agent.
 * @param latencies of this I/O agent.
 * @param events   for the operator.
 */
public record Reports(
        BrokerCounters broker, SessionCounters counters, SessionLatencies latencies, EventLog events) {}
