package io.penstock.standalone.serve;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.BrokerConfig;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** How the bridge reaches the broker of the same process. */
final class BridgeEndpoint {
    static final String ENDPOINT = "inproc:penstock-bridge";

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
}
