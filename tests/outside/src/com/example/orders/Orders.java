package com.example.orders;

import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.Topic;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a new user tries first: publish, get the message, ask for the last one of each key. */
final class Orders {
    private static final String FIRST = "{\"id\": 1, \"price\": 10}";
    private static final String LAST = "{\"id\": 1, \"price\": 11}";
    private static final int WAIT_S = 30;

    private Orders() {}

    /**
     * Prints "ok" and the endpoint.
     *
     * @param endpoint of a broker without a topic "orders".
     * @throws IllegalStateException when the broker or the client did something else than they should.
     */
    static void tryOut(final String endpoint) throws Exception {
        try (PenstockClient client = PenstockClient.connect(endpoint)) {
            client.declareTopic(Topic.json("orders").key("id"));
            final CompletableFuture<String> heard = new CompletableFuture<>();
            client.subscribe("orders", "price > 10", message -> heard.complete(message.text()));
            client.publish("orders", FIRST);
            client.publish("orders", LAST, AckType.PROCESSED).get(WAIT_S, TimeUnit.SECONDS);
            expect(LAST, heard.get(WAIT_S, TimeUnit.SECONDS));
            expect(List.of(LAST), client.sow(SowRequest.topic("orders")).texts());
        }
        System.out.println("ok " + endpoint);
    }

    private static void expect(final Object expected, final Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException("orders: not as published: " + found + " (expected " + expected + ")");
        }
    }
}
