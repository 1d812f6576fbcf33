package io.penstock.examples.desk;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Takes orders by HTTP, fills them from the broker's log, and shows what was filled. */
@SpringBootApplication
public class OrderDesk {
    /** Starts the desk. */
    public static void main(final String[] args) {
        SpringApplication.run(OrderDesk.class, args);
    }
}
