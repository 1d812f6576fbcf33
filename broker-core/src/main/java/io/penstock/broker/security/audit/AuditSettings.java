package io.penstock.broker.security.audit;

/**
 * The bounds of an audit trail, and what happens at them.
 *
 * @param fileLength          in bytes, after which another file is begun.
 * @param fileCount           files that are kept; the oldest are deleted.
 * @param entriesPerClientMax entries about one identity in a minute; others are counted.
 * @param isRefusing          whether logons and commands of administrators are refused while entries cannot be written.
 */
public record AuditSettings(long fileLength, int fileCount, int entriesPerClientMax, boolean isRefusing) {}
