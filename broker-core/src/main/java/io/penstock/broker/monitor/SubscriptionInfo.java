package io.penstock.broker.monitor;

/**
 * What is known of a subscription. Immutable.
 *
 * @param clientId   session of its client.
 * @param clientName that its client gave.
 * @param user       that its client was proved to be.
 * @param id         as its client has numbered it.
 * @param topic      that it wants, or the pattern of them.
 * @param isPattern  whether that is a pattern.
 * @param filter     in canonical form; empty for all.
 * @param kind       what it is sent.
 * @param state      what serves it.
 * @param feeds      shards that serve it.
 * @param lag        records of its shard since the last one that it was sent; 0 when it is live.
 * @param deliveries messages that it was sent.
 */
public record SubscriptionInfo(
        long clientId,
        String clientName,
        String user,
        long id,
        String topic,
        boolean isPattern,
        String filter,
        Kind kind,
        State state,
        int feeds,
        long lag,
        long deliveries) {
    /** What a subscription is sent. */
    public enum Kind {
        /** Messages as they are. */
        MESSAGES,
        /** Records of state. */
        STATE,
        /** What has changed of records. */
        DELTA
    }

    /** What serves a subscription. */
    public enum State {
        /** Its shards, as messages come. */
        LIVE,
        /** It reads the log. */
        BEHIND,
        /** Its client has paused it, or gives it no credit. */
        PAUSED,
        /** It is about to be served. */
        STARTING,
        /** Nothing any more. */
        ENDED
    }
}
