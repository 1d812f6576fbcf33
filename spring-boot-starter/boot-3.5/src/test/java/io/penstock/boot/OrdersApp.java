package io.penstock.boot;

import io.penstock.client.Ack;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.annotation.PenstockState;
import io.penstock.spring.template.PenstockTemplate;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** A small application that uses what the starter brings. */
@SpringBootApplication
class OrdersApp {
    /** Of the topic with state, whose key is the id. */
    record Order(String id, String symbol, int quantity) {}

    /** Sends, listens and looks. */
    @Component
    static class Desk {
        final BlockingQueue<Order> received = new LinkedBlockingQueue<>();
        private final PenstockTemplate template;
        final Map<String, Order> orders;

        Desk(final PenstockTemplate template, @PenstockState(topic = "orders") final Map<String, Order> orders) {
            this.template = template;
            this.orders = orders;
        }

        CompletableFuture<Ack> send(final Order order) {
            return template.send("orders", order);
        }

        @PenstockListener(topic = "orders", filter = "quantity > 0")
        void onOrder(final Order order) {
            received.add(order);
        }
    }
}
