package io.penstock.broker.security.audit;

/**
 * Something that was done or refused. Immutable.
 *
 * @param timeMs    when, in milliseconds since 1970.
 * @param kind      of entry.
 * @param isRefused whether it was not let happen.
 * @param count     of what it is about; 0 for none.
 * @param client    who did it.
 * @param what      was done, in words; may have texts of clients in it.
 * @param reason    why; may be empty.
 */
public record AuditEntry(
        long timeMs, AuditKind kind, boolean isRefused, long count, AuditClient client, String what, String reason) {}
