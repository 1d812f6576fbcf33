package io.penstock.bridge.iiop;

import io.penstock.bridge.service.BridgeSession;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A session that a reference names. It stays while one of its calls is under way, a connection is open that has called it,
 * or it has a client that is called; and some leases longer. Safe on any thread.
 */
final class IiopSession {
    /** How many leases it stays without any of these. */
    static final int LEASES = 3;

    private final BridgeSession session;
    private final String key;
    private final AtomicInteger users = new AtomicInteger();
    private volatile long lastNs = System.nanoTime();
    private volatile boolean isEnded;

    IiopSession(final BridgeSession session, final String key) {
        this.session = session;
        this.key = key;
    }

    BridgeSession session() {
        return session;
    }

    String key() {
        return key;
    }

    /** A call or a connection uses it from now on. */
    void enter() {
        users.incrementAndGet();
    }

    /** It uses it no longer. */
    void exit() {
        lastNs = System.nanoTime();
        users.decrementAndGet();
    }

    /** It cannot be found any more. */
    void end() {
        isEnded = true;
    }

    boolean isEnded() {
        return isEnded;
    }

    boolean isOver(final long nowNs, final int leaseMs) {
        return users.get() == 0
                && nowNs - lastNs > LEASES * TimeUnit.MILLISECONDS.toNanos(leaseMs)
                && !session.isGuest()
                && !session.isCalled();
    }
}
