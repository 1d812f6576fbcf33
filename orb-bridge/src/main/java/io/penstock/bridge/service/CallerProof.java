package io.penstock.bridge.service;

import io.penstock.transport.PeerIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Has the broker know clients of the bridge by what their connections prove: implemented by the program that has bridge
 * and broker in one process. Safe on any thread; may block for a moment.
 */
public interface CallerProof {
    /** No connection proves anything. */
    CallerProof NONE = new CallerProof() {
        @Override
        public @Nullable ProvedCaller prove(final PeerIdentity identity, final String peer, final boolean isLocal) {
            return null;
        }

        @Override
        public void forget(final String clientName) {
            // Nobody is known.
        }
    };

    /**
     * A client logs on without naming a user.
     *
     * @param identity what its connection proves.
     * @param peer     where it is, for example {@code rmi://127.0.0.1:40112}.
     * @param isLocal  whether that is on this machine.
     * @return the user that it is, and how the broker is to know that; null when it is none.
     */
    @Nullable
    ProvedCaller prove(PeerIdentity identity, String peer, boolean isLocal);

    /**
     * A client that was proved does not come to the broker after all.
     *
     * @param clientName under which it would have logged on.
     */
    void forget(String clientName);

    /**
     * Who a client is.
     *
     * @param user       that it is.
     * @param clientName under which the bridge logs on for it, once: the broker expects that.
     */
    record ProvedCaller(String user, String clientName) {}
}
