package io.penstock.bridge;

import io.penstock.bridge.service.CallerProof;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.transport.PeerIdentity;
import org.jspecify.annotations.Nullable;

/** The broker of the same process knows clients by what their connections prove. */
record GateProof(AccessGate gate) implements CallerProof {
    @Override
    public @Nullable String prove(
            final PeerIdentity identity, final String peer, final boolean isLocal, final String clientName) {
        final Admitted user = gate.callerLogons().admitByConnection(new Logon("bridge", "", "", peer, isLocal, identity));
        return user != null && gate.expected().expect(clientName, user)
                ? user.principal().name()
                : null;
    }

    @Override
    public void forget(final String clientName) {
        gate.expected().forget(clientName);
    }
}
