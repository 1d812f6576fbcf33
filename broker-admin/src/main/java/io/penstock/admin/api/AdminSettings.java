package io.penstock.admin.api;

/**
 * Bounds of the API.
 *
 * @param streamCountMax   streams of events at a time.
 * @param tailCountMax     those of them that follow a topic; each has a client of the broker.
 * @param queryCountMax    queries at a time; each has a client of the broker.
 * @param sessionTimeoutMs after which a session ends.
 * @param isEncrypted      whether the server speaks https.
 */
public record AdminSettings(
        int streamCountMax, int tailCountMax, int queryCountMax, int sessionTimeoutMs, boolean isEncrypted) {}
