package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.client.ClientConfig;
import java.net.URI;
import java.util.List;

/** One I/O agent serves three transports at once; each client comes by another one than the client before. */
abstract class MixedClientBrokerTck extends ClientBrokerTck {
    private int connectCount;

    MixedClientBrokerTck(final BrokerConfig.Builder config) {
        super(config.listen("tcp://127.0.0.1:0")
                .listen("ipc:mixed-test-" + ProcessHandle.current().pid())
                .listen("inproc:mixed-test"));
    }

    @Override
    ClientConfig.Builder builder() {
        final List<URI> endpoints = broker().endpoints();
        return ClientConfig.builder(
                        endpoints.get(connectCount++ % endpoints.size()).toString())
                .requestTimeout(LONG);
    }
}
