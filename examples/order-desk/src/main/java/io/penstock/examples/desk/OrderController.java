package io.penstock.examples.desk;

import io.penstock.client.PenstockException;
import io.penstock.spring.annotation.PenstockState;
import io.penstock.spring.template.PenstockTemplate;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Orders in, fills and positions out. */
@RestController
class OrderController {
    private final PenstockTemplate template;
    private final Map<String, Fill> fills;

    OrderController(final PenstockTemplate template, @PenstockState(topic = "fills") final Map<String, Fill> fills) {
        this.template = template;
        this.fills = fills;
    }

    /** Answers when the broker has the order on stable storage; across a restart of the broker that takes until it is back. */
    @PostMapping("/orders")
    CompletableFuture<ResponseEntity<Void>> order(@RequestBody final Order order) {
        return template.send("orders", order)
                .thenApply(ack -> ResponseEntity.accepted().build());
    }

    /** From the mirror: no question to the broker. */
    @GetMapping("/fills")
    Map<String, Fill> fills() {
        return new TreeMap<>(fills);
    }

    /** Sums of the mirror by symbol. */
    @GetMapping("/positions")
    Map<String, Integer> positions() {
        final Map<String, Integer> positions = new TreeMap<>();
        fills.values().forEach(fill -> positions.merge(fill.symbol(), fill.quantity(), Integer::sum));
        return positions;
    }

    @ExceptionHandler(PenstockException.class)
    ResponseEntity<String> onFailure(final PenstockException failure) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body(failure.getMessage());
    }
}
