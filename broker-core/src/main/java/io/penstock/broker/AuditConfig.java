package io.penstock.broker;

import io.penstock.broker.security.audit.AuditSettings;

/**
 * The files in which a broker keeps who has logged on, what was refused and what administrators did. Immutable.
 *
 * @param directory           of the files, for them alone; empty for no audit.
 * @param fileLength          in bytes, after which another file is begun.
 * @param fileCount           files that are kept.
 * @param entriesPerClientMax entries about one user, or one machine of anonymous clients, in a minute; others are counted.
 * @param onFailure           what happens while entries cannot be written.
 */
public record AuditConfig(
        String directory, long fileLength, int fileCount, int entriesPerClientMax, OnFailure onFailure) {
    public static final long FILE_LENGTH_DEFAULT = 16 * 1024 * 1024;
    public static final int FILE_COUNT_DEFAULT = 64;
    public static final int ENTRIES_PER_CLIENT_MAX_DEFAULT = 100;

    private static final int FILE_LENGTH_MIN = 4096;

    /** What happens while entries cannot be written. */
    public enum OnFailure {
        /** The broker serves on, reports it and counts what is lost. */
        REPORT,

        /** The broker refuses logons and commands of administrators. */
        REFUSE
    }

    public AuditConfig {
        Limits.check("audit.fileLength", fileLength, FILE_LENGTH_MIN, 1 << 30);
        Limits.check("audit.fileCount", fileCount, 2, 100_000);
        Limits.check("audit.entriesPerClientMax", entriesPerClientMax, 1, 1_000_000);
    }

    /** No audit. */
    public static AuditConfig none() {
        return in("");
    }

    /** An audit in a directory, with the defaults for the rest. */
    public static AuditConfig in(final String directory) {
        return new AuditConfig(
                directory, FILE_LENGTH_DEFAULT, FILE_COUNT_DEFAULT, ENTRIES_PER_CLIENT_MAX_DEFAULT, OnFailure.REPORT);
    }

    /** The same, with what happens while entries cannot be written. */
    public AuditConfig onFailure(final OnFailure value) {
        return new AuditConfig(directory, fileLength, fileCount, entriesPerClientMax, value);
    }

    /** Whether there is an audit. */
    public boolean isUsed() {
        return !directory.isEmpty();
    }

    AuditSettings settings() {
        return new AuditSettings(fileLength, fileCount, entriesPerClientMax, onFailure == OnFailure.REFUSE);
    }
}
