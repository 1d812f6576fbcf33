package io.penstock.examples;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.PenstockClient;

/** A broker inside a program, and a client of it that needs no network. */
public final class Embedding {
    private Embedding() {}

    /**
     * Publishes two orders and prints the one that matches.
     *
     * @param args none.
     */
    @SuppressWarnings("try") // The broker is there for its client alone.
    public static void main(final String[] args) {
        // README
        try (Broker broker = Broker.launch(BrokerConfig.embedded("orders"));
                PenstockClient client = PenstockClient.connect("inproc:orders")) {
            client.subscribe(
                    "orders",
                    "price > 100 AND side IN ('B', 'S')",
                    message -> System.out.println(message.topic() + ": " + message.text()));
            client.publish("orders", "{\"symbol\": \"IBM\", \"side\": \"B\", \"price\": 101.5}");
            client.publish("orders", "{\"symbol\": \"IBM\", \"side\": \"B\", \"price\": 99.5}");
            client.flush();
        }
        // README
    }
}
