package io.penstock.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.listener.ListenerStartException;
import io.penstock.spring.listener.ListenerSubscription;
import io.penstock.spring.listener.PenstockListenerContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PenstockListenerEndpointRegistryTest {
    private final TestBroker broker = TestBroker.inproc();
    private final PenstockConnection connection = new PenstockConnection(broker.clients());
    private final PenstockListenerContainerFactory factory = new PenstockListenerContainerFactory(connection);
    private final PenstockListenerEndpointRegistry registry = new PenstockListenerEndpointRegistry();

    @AfterEach
    void close() {
        registry.destroy();
        connection.close();
        broker.close();
    }

    private static PenstockListenerEndpoint endpoint(final String filter) {
        return new PenstockListenerEndpoint(
                "orders", ListenerSubscription.topic("orders").filter(filter).build(), deliveries -> {});
    }

    @Test
    void shouldLeaveTheIdFreeWhenTheContainerCannotStart() {
        registry.start();
        assertThatThrownBy(() -> registry.register(endpoint("price >"), factory))
                .isInstanceOf(ListenerStartException.class)
                .hasMessageContaining("filter");
        assertThat(registry.getContainer("orders")).isNull();

        assertThat(registry.register(endpoint("price > 1"), factory).isRunning())
                .isTrue();
    }

    @Test
    void shouldStopAllWhenStopped() {
        registry.start();
        final PenstockListenerContainer container = registry.register(endpoint(""), factory);
        assertThat(container.isRunning()).isTrue();

        registry.stop();

        assertThat(container.isRunning()).isFalse();
        assertThat(registry.isRunning()).isFalse();
    }
}
