package io.penstock.bridge;

import io.penstock.bridge.service.CallerProof;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.ExpectedClients.Expected;
import io.penstock.transport.PeerIdentity;
import org.jspecify.annotations.Nullable;

/** The broker of the same process knows clients by what their connections prove. */
record GateProof(AccessGate gate) implements CallerProof {
    @Override
    public @Nullable ProvedCaller prove(final PeerIdentity identity, final String peer, final boolean isLocal) {
        final Admitted user = gate.callerLogons().admitByConnection(new Logon("bridge", "", "", peer, isLocal, identity));
        final Expected expected = user == null ? null : gate.expected().expectAs("bridge", user);
        return expected == null ? null : new ProvedCaller(expected.principal().name(), expected.clientName());
    }

    @Override
    public void forget(final String clientName) {
        gate.expected().forget(clientName);
    }
}
