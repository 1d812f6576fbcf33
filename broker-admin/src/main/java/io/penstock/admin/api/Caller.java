package io.penstock.admin.api;

import io.penstock.broker.monitor.Administrator;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Principal;

/**
 * Who asks. Immutable.
 *
 * @param proof     of who it is, and whether that still holds.
 * @param isLocal   whether it is on this machine.
 * @param peer      where it is.
 * @param expiresMs when its session ends, in milliseconds since 1970; 0 when it has none.
 */
record Caller(Admitted proof, boolean isLocal, String peer, long expiresMs) {
    /** What callers are to the broker's log and audit. */
    static final String CLIENT = "admin";

    Principal principal() {
        return proof.principal();
    }

    boolean isAnonymous() {
        return principal().equals(Principal.ANONYMOUS);
    }

    /** Whether what it proved holds no longer: a user was changed, or a session or token has ended. */
    boolean isOver(final long nowMs) {
        return !proof.validity().isValid() || (expiresMs > 0 && nowMs >= expiresMs);
    }

    Administrator administrator() {
        return new Administrator(peer, isAnonymous() ? "" : principal().name(), CLIENT, isLocal);
    }
}
