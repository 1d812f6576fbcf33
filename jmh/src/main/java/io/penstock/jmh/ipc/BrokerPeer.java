package io.penstock.jmh.ipc;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.IdleMode;
import java.io.IOException;

/** A broker that never sleeps. */
final class BrokerPeer {
    private BrokerPeer() {}

    public static void main(final String[] args) throws IOException {
        final String endpoint = "ipc:beside-" + ProcessHandle.current().pid();
        try (Broker broker = Broker.launch(
                BrokerConfig.builder().listen(endpoint).idle(IdleMode.BUSY).build())) {
            Peer.serve(broker.endpoints().get(0).toString());
        }
    }
}
