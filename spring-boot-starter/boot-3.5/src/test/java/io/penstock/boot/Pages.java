package io.penstock.boot;

import io.penstock.boot.OrdersApp.Desk;
import io.penstock.boot.OrdersApp.Order;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Left out by a test of messages alone. */
@RestController
class Pages {
    private final Desk desk;

    Pages(final Desk desk) {
        this.desk = desk;
    }

    @GetMapping("/orders")
    Map<String, Order> orders() {
        return Map.copyOf(desk.orders);
    }
}
