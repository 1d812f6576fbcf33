package io.penstock.broker.session.client;

import io.penstock.broker.concurrent.BrokerCounters;
import org.agrona.concurrent.status.AtomicCounter;

/** Counters of one I/O agent about its clients. Written by that agent alone, read by anyone. */
public final class SessionCounters {
    private final AtomicCounter connections;
    private final AtomicCounter sessions;
    private final AtomicCounter subscriptions;
    private final AtomicCounter messagesReceived;
    private final AtomicCounter payloadBytesReceived;
    private final AtomicCounter commandsRefused;
    private final AtomicCounter readsRefused;
    private final AtomicCounter messagesDelivered;
    private final AtomicCounter payloadBytesCopied;
    private final AtomicCounter bytesDelivered;
    private final AtomicCounter deliveriesRefused;
    private final AtomicCounter fellBehind;
    private final AtomicCounter disconnectedBehind;
    private final AtomicCounter queries;
    private final AtomicCounter queryRows;
    private final AtomicCounter queryRowsRead;
    private final AtomicCounter resyncs;
    private final AtomicCounter fatalErrors;
    private final AtomicCounter stagingLength;
    private final AtomicCounter stalledFrames;
    private final AtomicCounter logonsRefused;
    private final AtomicCounter quotasReached;
    private final AtomicCounter readsOverRate;

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
        queryRows = counters.newCounter(owner, "queryRows");
        queryRowsRead = counters.newCounter(owner, "queryRowsRead");
        resyncs = counters.newCounter(owner, "resyncs");
        fatalErrors = counters.newCounter(owner, "fatalErrors");
        stagingLength = counters.newCounter(owner, "stagingLength");
        stalledFrames = counters.newCounter(owner, "stalledFrames");
        logonsRefused = counters.newCounter(owner, "logonsRefused");
        quotasReached = counters.newCounter(owner, "quotasReached");
        readsOverRate = counters.newCounter(owner, "readsOverRate");
    }

    /** Connections that are open. */
    public AtomicCounter connections() {
        return connections;
    }

    /** Clients that are logged on. */
    public AtomicCounter sessions() {
        return sessions;
    }

    /** Subscriptions that there are. */
    public AtomicCounter subscriptions() {
        return subscriptions;
    }

    /** Messages taken from clients. */
    public AtomicCounter messagesReceived() {
        return messagesReceived;
    }

    /** Bytes of payload taken from clients. */
    public AtomicCounter payloadBytesReceived() {
        return payloadBytesReceived;
    }

    /** Commands that were refused. */
    public AtomicCounter commandsRefused() {
        return commandsRefused;
    }

    /** Times that a client could not be read. */
    public AtomicCounter readsRefused() {
        return readsRefused;
    }

    /** Records sent to clients. */
    public AtomicCounter messagesDelivered() {
        return messagesDelivered;
    }

    /** Bytes of records sent to clients. */
    public AtomicCounter bytesDelivered() {
        return bytesDelivered;
    }

    /** Times that a connection took no delivery. */
    public AtomicCounter deliveriesRefused() {
        return deliveriesRefused;
    }

    /** Feeds that lacked what they were to get next. */
    public AtomicCounter fellBehind() {
        return fellBehind;
    }

    /** Clients that were disconnected because they did not take what was half sent. */
    public AtomicCounter disconnectedBehind() {
        return disconnectedBehind;
    }

    /** Queries that were started. */
    public AtomicCounter queries() {
        return queries;
    }

    /** Rows of the state that queries have looked at. */
    public AtomicCounter queryRows() {
        return queryRows;
    }

    /** Rows whose records were read for that, or for columns. */
    public AtomicCounter queryRowsRead() {
        return queryRowsRead;
    }

    /** Times that a client was sent the state again. */
    public AtomicCounter resyncs() {
        return resyncs;
    }

    /** Errors that ended a connection. */
    public AtomicCounter fatalErrors() {
        return fatalErrors;
    }

    /** Bytes of room for long frames, in use or free. */
    public AtomicCounter stagingLength() {
        return stagingLength;
    }

    /** Long frames that stalled while others needed their room. */
    public AtomicCounter stalledFrames() {
        return stalledFrames;
    }

    /** Log-ons that were refused, be it for what they proved or because too many were before them. */
    public AtomicCounter logonsRefused() {
        return logonsRefused;
    }

    /** Log-ons, subscriptions and queries that were refused because their identity uses as much as it may. */
    public AtomicCounter quotasReached() {
        return quotasReached;
    }

    /** Times that a client was not read because its identity has published faster than it may. */
    public AtomicCounter readsOverRate() {
        return readsOverRate;
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
