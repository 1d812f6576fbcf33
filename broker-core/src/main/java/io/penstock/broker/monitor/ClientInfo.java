package io.penstock.broker.monitor;

/**
 * What is known of a connected client. Immutable.
 *
 * @param id              of its session.
 * @param name            that it gave; empty before its logon, or when it gave none.
 * @param user            that it was proved to be; empty before its logon.
 * @param state           how far it has come.
 * @param protocolVersion that it speaks.
 * @param connection      where it is.
 * @param work            that it has the broker do.
 * @param traffic         between it and the broker.
 */
public record ClientInfo(
        long id,
        String name,
        String user,
        State state,
        int protocolVersion,
        Connection connection,
        Work work,
        Traffic traffic) {
    /** How far a client has come. */
    public enum State {
        /** It has not logged on. */
        CONNECTED,
        /** It is logging on. */
        LOGGING_ON,
        /** It has logged on. */
        ACTIVE,
        /** It is about to be disconnected. */
        CLOSING
    }

    /** Where a client is; see the methods of the same names. */
    public record Connection(String peer, boolean isLocal, boolean isEncrypted, long connectedForNs, long idleNs) {}

    /** What a client has the broker do; see the methods of the same names. */
    public record Work(int subscriptions, int subscriptionsBehind, int queries, long lag) {}

    /** What goes between a client and the broker; see the methods of the same names. */
    public record Traffic(long queued, long inFlightLength, long messagesIn, long messagesOut, long bytesOut) {}

    /** The other end of its connection, for example {@code tcp://127.0.0.1:40112}. */
    public String peer() {
        return connection.peer();
    }

    /** Whether its connection cannot leave this machine. */
    public boolean isLocal() {
        return connection.isLocal();
    }

    /** Whether nobody between can read it. */
    public boolean isEncrypted() {
        return connection.isEncrypted();
    }

    /** Since when it is connected, in nanoseconds. */
    public long connectedForNs() {
        return connection.connectedForNs();
    }

    /** Since when nothing came from it, in nanoseconds. */
    public long idleNs() {
        return connection.idleNs();
    }

    /** Subscriptions that it has. */
    public int subscriptions() {
        return work.subscriptions();
    }

    /** Those that are not live. */
    public int subscriptionsBehind() {
        return work.subscriptionsBehind();
    }

    /** Queries that run for it. */
    public int queries() {
        return work.queries();
    }

    /** Records of its shard since the last one that its subscription furthest behind was sent; 0 when all are live. */
    public long lag() {
        return work.lag();
    }

    /** Runs of messages on their way to it. */
    public long queued() {
        return traffic.queued();
    }

    /** Bytes that its connection has taken and not sent. */
    public long inFlightLength() {
        return traffic.inFlightLength();
    }

    /** Messages taken from it. */
    public long messagesIn() {
        return traffic.messagesIn();
    }

    /** Messages delivered to it. */
    public long messagesOut() {
        return traffic.messagesOut();
    }

    /** Bytes of their records. */
    public long bytesOut() {
        return traffic.bytesOut();
    }
}
