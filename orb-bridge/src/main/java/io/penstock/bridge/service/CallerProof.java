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
        public @Nullable String prove(
                final PeerIdentity identity, final String peer, final boolean isLocal, final String clientName) {
            return null;
        }

        @Override
        public void forget(final String clientName) {
            // Nobody is known.
        }
    };

    /**
     * A client logs on without naming a user. If its connection proves one, the broker is to take the next client of that
     * name, which nobody can guess, for the user.
     *
     * @param identity   what its connection proves.
     * @param peer       where it is, for example {@code rmi://127.0.0.1:40112}.
     * @param isLocal    whether that is on this machine.
     * @param clientName under which the bridge logs on for it, once.
     * @return the user that it is; null when it is none.
     */
    @Nullable
    String prove(PeerIdentity identity, String peer, boolean isLocal, String clientName);

    /**
     * A client that was proved does not come to the broker after all.
     *
     * @param clientName under which it would have logged on.
     */
    void forget(String clientName);
}
