package io.penstock.standalone.serve;

import io.penstock.bridge.BridgeSecurity;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.CallerProof;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.transport.PeerIdentity;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the bridge reaches the broker of the same process. */
final class BridgeEndpoint {
    static final String ENDPOINT = "inproc:penstock-bridge";

    private BridgeEndpoint() {}

    /** Encrypts with the broker's certificates; the broker's gate decides who a client with a certificate is. */
    static BridgeSecurity security(final Broker broker) {
        return new BridgeSecurity(broker.tls(), new Gate(broker.gate()));
    }

    /** The same configuration, with an endpoint for the bridge if there is to be one. */
    static BrokerConfig added(final BrokerConfig config, final BridgeConfig bridge) {
        if (!bridge.isUsed()) {
            return config;
        }
        final List<URI> listen = new ArrayList<>(config.listen());
        listen.add(URI.create(ENDPOINT));
        return config.listen(listen);
    }

    /** Has the broker expect clients that have proved who they are. */
    private record Gate(AccessGate gate) implements CallerProof {
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
}
