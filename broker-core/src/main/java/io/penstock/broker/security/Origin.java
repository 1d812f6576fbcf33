package io.penstock.broker.security;

/**
 * Where somebody is for whom a client of the broker's own process acts, such as a caller of the admin server. Immutable.
 *
 * @param peer    the other end of its connection; empty for a client that acts for itself.
 * @param client  what it is, for people.
 * @param isLocal whether it is on this machine.
 */
public record Origin(String peer, String client, boolean isLocal) {
    /** A client acts for itself. */
    public static final Origin NONE = new Origin("", "", false);

    /** Whether it is nobody else. */
    public boolean isOwn() {
        return peer.isEmpty();
    }
}
