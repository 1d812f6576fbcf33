package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orb.BrokerException;
import io.penstock.protocol.ErrorCode;
import java.util.concurrent.Semaphore;

/** How many sessions, subscriptions and queries there are, and may be. Safe on any thread. */
final class BridgeRooms {
    private final BridgeConfig config;
    private final BridgeCounters counters;
    private final Semaphore sessions;
    private final Semaphore subscriptions;
    private final Semaphore queries;

    BridgeRooms(final BridgeConfig config, final BridgeCounters counters) {
        this.config = config;
        this.counters = counters;
        sessions = new Semaphore(config.sessionCountMax());
        subscriptions = new Semaphore(config.subscriptionCountMax());
        queries = new Semaphore(config.queryCountMax());
    }

    void acquireSession() throws BrokerException {
        acquire(sessions, "sessions", config.sessionCountMax());
        counters.add(BridgeCounter.SESSIONS_OPEN, 1);
    }

    void releaseSession() {
        sessions.release();
        counters.add(BridgeCounter.SESSIONS_OPEN, -1);
    }

    void acquireSubscription() throws BrokerException {
        acquire(subscriptions, "subscriptions", config.subscriptionCountMax());
        counters.add(BridgeCounter.SUBSCRIPTIONS_OPEN, 1);
    }

    void releaseSubscription() {
        counters.add(BridgeCounter.SUBSCRIPTIONS_OPEN, -1);
        subscriptions.release();
    }

    void acquireQuery() throws BrokerException {
        acquire(queries, "queries", config.queryCountMax());
        counters.add(BridgeCounter.QUERIES_OPEN, 1);
    }

    void releaseQuery() {
        counters.add(BridgeCounter.QUERIES_OPEN, -1);
        queries.release();
    }

    private void acquire(final Semaphore room, final String what, final int max) throws BrokerException {
        if (!room.tryAcquire()) {
            counters.add(BridgeCounter.LIMITS_REACHED, 1);
            throw Refusals.of(
                    ErrorCode.LIMIT_REACHED,
                    what + ": too many in the bridge: " + max + " (end some, or configure more)");
        }
    }
}
