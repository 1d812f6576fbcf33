package io.penstock.broker.monitor;

/**
 * What is known of a connected client. Immutable.
 *
 * @param id                  of its session.
 * @param name                that it gave; empty before its logon, or when it gave none.
 * @param user                that it was proved to be; empty before its logon.
 * @param peer                the other end of its connection, for example {@code tcp://127.0.0.1:40112}.
 * @param isLocal             whether its connection cannot leave this machine.
 * @param isEncrypted         whether nobody between can read it.
 * @param state               how far it has come.
 * @param protocolVersion     that it speaks.
 * @param connectedForNs      since when it is connected, in nanoseconds.
 * @param idleNs              since when nothing came from it, in nanoseconds.
 * @param subscriptions       that it has.
 * @param subscriptionsBehind those that are not live.
 * @param queries             that run for it.
 * @param lag                 records of its shard since the last one that its subscription furthest behind was sent;
 *                            0 when all are live.
 * @param queued              runs of messages on their way to it.
 * @param inFlightLength      bytes that its connection has taken and not sent.
 * @param messagesIn          messages taken from it.
 * @param messagesOut         messages delivered to it.
 * @param bytesOut            bytes of their records.
 */
public record ClientInfo(
        long id,
        String name,
        String user,
        String peer,
        boolean isLocal,
        boolean isEncrypted,
        State state,
        int protocolVersion,
        long connectedForNs,
        long idleNs,
        int subscriptions,
        int subscriptionsBehind,
        int queries,
        long lag,
        long queued,
        long inFlightLength,
        long messagesIn,
        long messagesOut,
        long bytesOut) {
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
}
