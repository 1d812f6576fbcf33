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
    Principal principal() {
        return proof.principal();
    }

    boolean isAnonymous() {
        return principal().equals(Principal.ANONYMOUS);
    }

    Administrator administrator() {
        return new Administrator(peer, isAnonymous() ? "" : principal().name(), "admin");
    }
}
