package com.example.orders;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import java.net.URI;
import java.util.List;

/** Brokers in this program, and a client of each: one in the process, one over the network. */
final class Embedded {
    private Embedded() {}

    public static void main(final String[] args) throws Exception {
        for (final String endpoint : List.of("inproc:orders", "tcp://127.0.0.1:0")) {
            final BrokerConfig config = BrokerConfig.embedded("orders").listen(List.of(URI.create(endpoint)));
            try (Broker broker = Broker.launch(config)) {
                Orders.tryOut(broker.endpoints().get(0).toString());
            }
        }
    }
}
