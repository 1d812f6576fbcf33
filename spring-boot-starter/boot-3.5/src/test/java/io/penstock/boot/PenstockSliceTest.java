package io.penstock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.boot.OrdersApp.Desk;
import io.penstock.boot.OrdersApp.Order;
import io.penstock.spring.boot.test.PenstockTest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

/** What a test of messages alone has, and what not. */
@PenstockTest(
        properties = {"penstock.embedded.config.topics[0].name=orders", "penstock.embedded.config.topics[0].key=id"})
@Timeout(60)
class PenstockSliceTest {
    @Autowired
    private Desk desk;

    @Autowired
    private ApplicationContext context;

    @Test
    void shouldDeliverWhenSomethingIsSent() throws Exception {
        final Order order = new Order("s-1", "ACME", 3);
        desk.send(order).get(20, TimeUnit.SECONDS);
        assertThat(desk.received.poll(20, TimeUnit.SECONDS)).isEqualTo(order);
    }

    @Test
    void shouldHaveNoControllersWhenASlice() {
        assertThat(context.getBeanNamesForType(Pages.class)).isEmpty();
        assertThat(context.getEnvironment().getProperty("local.server.port")).isNull();
    }
}
