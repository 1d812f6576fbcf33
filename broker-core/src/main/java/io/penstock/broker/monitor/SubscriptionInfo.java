package io.penstock.broker.monitor;

/**
 * What is known of a subscription. Immutable.
 *
 * @param clientId   session of its client.
 * @param clientName that its client gave.
 * @param user       that its client was proved to be.
 * @param id         as its client has numbered it.
 * @param wanted     what it is to.
 * @param state      what serves it.
 * @param progress   how far it has come.
 */
public record SubscriptionInfo(
        long clientId, String clientName, String user, long id, Wanted wanted, State state, Progress progress) {
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

    /** What a subscription is to; see the methods of the same names. */
    public record Wanted(String topic, boolean isPattern, String filter, Kind kind) {}

    /** How far a subscription has come; see the methods of the same names. */
    public record Progress(int feeds, long lag, long deliveries) {}

    /** The topic that it wants, or the pattern of them. */
    public String topic() {
        return wanted.topic();
    }

    /** Whether that is a pattern. */
    public boolean isPattern() {
        return wanted.isPattern();
    }

    /** Its filter in canonical form; empty for all. */
    public String filter() {
        return wanted.filter();
    }

    /** What it is sent. */
    public Kind kind() {
        return wanted.kind();
    }

    /** Shards that serve it. */
    public int feeds() {
        return progress.feeds();
    }

    /** Records of its shard since the last one that it was sent; 0 when it is live. */
    public long lag() {
        return progress.lag();
    }

    /** Messages that it was sent. */
    public long deliveries() {
        return progress.deliveries();
    }
}
