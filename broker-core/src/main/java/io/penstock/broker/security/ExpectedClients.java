package io.penstock.broker.security;

import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Authenticator.Logon;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the broker's own process that act for callers who have proved already who they are, such as those of the
 * admin server. Each is known by a name that nobody can guess, and for one logon. Safe on any thread.
 */
public final class ExpectedClients {
    /** Logons that are expected at a time. */
    static final int COUNT_MAX = 1024;

    /** Of names: with 16 random bytes in them nobody guesses one. */
    static final int NAME_LENGTH_MIN = 32;

    private final ConcurrentHashMap<String, Admitted> byName = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    ExpectedClients() {}

    /**
     * The next client that logs on under a name, over a connection that cannot leave this machine and without a user of
     * its own, is somebody.
     *
     * @param name  that nobody can guess, {@value #NAME_LENGTH_MIN} characters or more.
     * @param proof who it is, and whether that still holds.
     * @return false when too many are expected; then it is not.
     */
    public boolean expect(final String name, final Admitted proof) {
        if (name.length() < NAME_LENGTH_MIN) {
            throw new IllegalArgumentException(
                    "expected client: name too short: " + name.length() + " (use " + NAME_LENGTH_MIN + " or more)");
        }
        if (count.incrementAndGet() > COUNT_MAX || byName.putIfAbsent(name, proof) != null) {
            count.decrementAndGet();
            return false;
        }
        return true;
    }

    /**
     * A client does not come after all.
     *
     * @param name that it would have had.
     */
    public void forget(final String name) {
        if (byName.remove(name) != null) {
            count.decrementAndGet();
        }
    }

    /** Who a client is, if it is expected; null when it is not. */
    @Nullable
    Admitted take(final Logon logon) {
        if (!logon.local() || !logon.user().isEmpty() || byName.isEmpty()) {
            return null;
        }
        final Admitted proof = byName.remove(logon.clientName());
        if (proof != null) {
            count.decrementAndGet();
        }
        return proof;
    }
}
