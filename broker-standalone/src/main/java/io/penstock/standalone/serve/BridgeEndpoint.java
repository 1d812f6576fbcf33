package io.penstock.standalone.serve;

import io.penstock.bridge.BridgeConfig;
import io.penstock.broker.BrokerConfig;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** How the bridge reaches the broker of the same process. */
final class BridgeEndpoint {
    static final String ENDPOINT = "inproc:penstock-bridge";

    private static final String RESPONSE_TIMEOUT = "sun.rmi.transport.tcp.responseTimeout";

    private BridgeEndpoint() {}

    /** The same configuration, with an endpoint for the bridge if there is to be one. */
    static BrokerConfig added(final BrokerConfig config, final BridgeConfig bridge) {
        if (!bridge.isUsed()) {
            return config;
        }
        final List<URI> listen = new ArrayList<>(config.listen());
        listen.add(URI.create(ENDPOINT));
        return config.listen(listen);
    }

    /** A call to a client ends for good when its time is up. The runtime reads this once, before its first call. */
    static void boundCalls(final BridgeConfig config) {
        if (System.getProperty(RESPONSE_TIMEOUT) == null) {
            System.setProperty(RESPONSE_TIMEOUT, String.valueOf(config.callbackTimeoutMs()));
        }
    }
}
