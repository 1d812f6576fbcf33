package io.penstock.broker.session.client;

/**
 * Bounds and names that sessions obey, as the broker was configured.
 *
 * @param ioAgent  index of the I/O agent.
 * @param broker   name and version, for clients.
 * @param limits   how much there may be.
 * @param timeouts how long it may take.
 * @param quotas   what one client may use up.
 */
public record SessionSettings(
        int ioAgent, String broker, SessionLimits limits, SessionTimeouts timeouts, QuotaSettings quotas) {}
