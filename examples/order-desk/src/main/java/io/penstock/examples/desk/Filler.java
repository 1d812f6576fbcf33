package io.penstock.examples.desk;

import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.template.PenstockTemplate;
import org.springframework.stereotype.Component;

/** Fills orders, each of them: its subscription has a name, and goes on where it was. */
@Component
class Filler {
    private final PenstockTemplate template;

    Filler(final PenstockTemplate template) {
        this.template = template;
    }

    @PenstockListener(topic = "orders", durable = "filler", from = "beginning")
    void onOrder(final Order order) {
        // When the broker has it: only then is the order processed.
        template.send("fills", new Fill(order.id(), order.symbol(), order.quantity())).join();
    }
}
