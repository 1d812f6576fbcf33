package io.penstock.broker.agent;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.transport.TransportCounters;
import org.agrona.concurrent.status.AtomicCounter;

/** Counters of the transports of one I/O agent, published for others from time to time. Written by that agent. */
final class IoCounters {
    private final AtomicCounter bytesReceived;
    private final AtomicCounter bytesSent;
    private final AtomicCounter payloadBytesCopied;
    private final AtomicCounter sendCalls;
    private final AtomicCounter receiveCalls;
    private final AtomicCounter connectionsRefused;
    private final AtomicCounter protocolErrors;
    private final AtomicCounter sendLengthMax;
    private final AtomicCounter fallbacks;
    private final AtomicCounter tlsHandshakes;
    private final AtomicCounter tlsHandshakesFailed;

    IoCounters(final BrokerCounters counters, final String owner) {
        bytesReceived = counters.newCounter(owner, "bytesReceived");
        bytesSent = counters.newCounter(owner, "bytesSent");
        payloadBytesCopied = counters.newCounter(owner, "transportBytesCopied");
        sendCalls = counters.newCounter(owner, "sendCalls");
        receiveCalls = counters.newCounter(owner, "receiveCalls");
        connectionsRefused = counters.newCounter(owner, "connectionsRefused");
        protocolErrors = counters.newCounter(owner, "protocolErrors");
        sendLengthMax = counters.newCounter(owner, "sendLengthMax");
        fallbacks = counters.newCounter(owner, "fallbacks");
        tlsHandshakes = counters.newCounter(owner, "tlsHandshakes");
        tlsHandshakesFailed = counters.newCounter(owner, "tlsHandshakesFailed");
    }

    void publish(final TransportCounters from) {
        bytesReceived.setRelease(from.bytesReceived());
        bytesSent.setRelease(from.bytesSent());
        payloadBytesCopied.setRelease(from.bytesCopied());
        sendCalls.setRelease(from.sendCalls());
        receiveCalls.setRelease(from.receiveCalls());
        connectionsRefused.setRelease(from.connectionsRefused());
        protocolErrors.setRelease(from.protocolErrors());
        sendLengthMax.setRelease(from.sendLengthMax());
        fallbacks.setRelease(from.fallbacks());
        tlsHandshakes.setRelease(from.handshakes());
        tlsHandshakesFailed.setRelease(from.handshakesFailed());
    }
}
