package io.penstock.broker.security.audit;

/**
 * Who an entry is about. Immutable.
 *
 * @param identity that shares one bound of entries with all its connections; see {@link
 *                 io.penstock.broker.security.Identity}.
 * @param user     that was proved, or was claimed in a logon that was refused; may be empty.
 * @param name     of the client; may be empty.
 * @param peer     the other end of its connection; may be empty.
 */
public record AuditClient(String identity, String user, String name, String peer) {
    /** The broker itself. */
    public static final AuditClient BROKER = new AuditClient("", "", "", "");
}
