package io.penstock.broker.session;

import io.penstock.broker.concurrent.BrokerCounters;
import org.agrona.concurrent.status.AtomicCounter;

/** What one I/O agent counts about its clients. Written by that agent alone, read by anyone. */
public final class SessionCounters {
    final AtomicCounter connections;
    final AtomicCounter sessions;
    final AtomicCounter subscriptions;
    final AtomicCounter messagesReceived;
    final AtomicCounter payloadBytesReceived;
    final AtomicCounter commandsRefused;
    final AtomicCounter readsRefused;
    final AtomicCounter messagesDelivered;
    final AtomicCounter payloadBytesCopied;
    final AtomicCounter bytesDelivered;
    final AtomicCounter deliveriesRefused;
    final AtomicCounter fellBehind;
    final AtomicCounter disconnectedBehind;
    final AtomicCounter queries;
    final AtomicCounter resyncs;
    final AtomicCounter fatalErrors;
    final AtomicCounter stagingLength;
    final AtomicCounter stalledFrames;

    /**
     * Makes the counters.
     *
     * @param counters to make them in.
     * @param owner    name of the I/O agent.
     */
    public SessionCounters(final BrokerCounters counters, final String owner) {
        connections = counters.newCounter(owner, "connections");
        sessions = counters.newCounter(owner, "sessions");
        subscriptions = counters.newCounter(owner, "subscriptions");
        messagesReceived = counters.newCounter(owner, "messagesReceived");
        payloadBytesReceived = counters.newCounter(owner, "payloadBytesReceived");
        commandsRefused = counters.newCounter(owner, "commandsRefused");
        readsRefused = counters.newCounter(owner, "readsRefused");
        messagesDelivered = counters.newCounter(owner, "messagesDelivered");
        payloadBytesCopied = counters.newCounter(owner, "payloadBytesCopied");
        bytesDelivered = counters.newCounter(owner, "bytesDelivered");
        deliveriesRefused = counters.newCounter(owner, "deliveriesRefused");
        fellBehind = counters.newCounter(owner, "fellBehind");
        disconnectedBehind = counters.newCounter(owner, "disconnectedBehind");
        queries = counters.newCounter(owner, "queries");
        resyncs = counters.newCounter(owner, "resyncs");
        fatalErrors = counters.newCounter(owner, "fatalErrors");
        stagingLength = counters.newCounter(owner, "stagingLength");
        stalledFrames = counters.newCounter(owner, "stalledFrames");
    }

    /**
     * Where bytes of payload copied between buffers are counted.
     *
     * @return the counter, for the I/O agent's own ports.
     */
    public AtomicCounter payloadBytesCopied() {
        return payloadBytesCopied;
    }
}
