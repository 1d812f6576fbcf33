package io.penstock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockClient;
import io.penstock.spring.PenstockConnection;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Two programs of one name. */
class SameNameTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(PenstockAutoConfiguration.class))
            .withPropertyValues(
                    "penstock.servers=inproc:same-name", "penstock.name=desk", "penstock.reconnect.delay-min=1ms");

    private static void await(final BooleanSupplier condition) {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(endNs);
            Thread.onSpinWait();
        }
    }

    private static boolean isEnded(final @Nullable PenstockClient client) {
        return client != null && client.isClosed();
    }

    @Test
    void shouldLeaveTheNameToTheOtherWhenItHasTakenIt() {
        try (Broker broker = Broker.launch(BrokerConfig.embedded("same-name"))) {
            runner.withPropertyValues("penstock.reconnect.delay-max=1h").run(one -> {
                await(() -> one.getBean(PenstockConnection.class).isConnected());
                runner.run(two -> {
                    final PenstockConnection first = one.getBean(PenstockConnection.class);
                    final ConnectionState state = one.getBean(ConnectionState.class);
                    await(() -> state.reason().contains("penstock.name"));
                    await(() -> isEnded(first.current()));
                    assertThat(state.reason()).contains("another program").contains("desk");
                    assertThat(state.replacedCount()).isEqualTo(1);
                    assertThatThrownBy(first::client)
                            .isInstanceOf(ConnectionException.class)
                            .hasMessageContaining("another program")
                            .hasMessageContaining("penstock.name");
                    assertThat(two.getBean(PenstockConnection.class).isConnected())
                            .isTrue();
                    assertThat(two.getBean(ConnectionState.class).replacedCount())
                            .isZero();
                    await(() -> broker.counter("sessions") == 1);
                });
            });
        }
    }

    @Test
    void shouldComeBackWhenTheOtherHasEnded() {
        try (Broker broker = Broker.launch(BrokerConfig.embedded("same-name"))) {
            runner.withPropertyValues("penstock.reconnect.delay-max=5ms").run(one -> {
                final PenstockConnection first = one.getBean(PenstockConnection.class);
                await(first::isConnected);
                runner.withPropertyValues("penstock.reconnect.delay-max=1h").run(two -> {
                    await(() -> one.getBean(ConnectionState.class).replacedCount() > 0);
                    assertThat(two).hasNotFailed();
                });
                await(first::isConnected);
                await(() -> broker.counter("sessions") == 1);
            });
        }
    }
}
