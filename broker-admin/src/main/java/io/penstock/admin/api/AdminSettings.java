package io.penstock.admin.api;

/**
 * Bounds of the API.
 *
 * @param streamCountMax   streams of events at a time.
 * @param tailCountMax     those of them that follow a topic; each has a client of the broker.
 * @param queryCountMax    queries at a time; each has a client of the broker.
 * @param backupDirectory  folder of backups; empty = none are made.
 * @param backupRate       bytes a second of a backup at most; 0 = as fast as it goes.
 * @param sessionTimeoutMs after which a session ends.
 * @param isEncrypted      whether the server speaks https.
 */
public record AdminSettings(
        int streamCountMax,
        int tailCountMax,
        int queryCountMax,
        String backupDirectory,
        long backupRate,
        int sessionTimeoutMs,
        boolean isEncrypted) {}
