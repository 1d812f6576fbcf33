package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.listener.ContainerFailedEvent;
import io.penstock.spring.listener.ContainerState;
import io.penstock.spring.listener.PenstockListenerContainer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ApplicationListener;

/** What the log says of a broker that is away: once for all that need it. */
@Timeout(180)
class ConnectionLogTest {
    private final TestBroker broker = TestBroker.inproc();
    private final List<ContainerFailedEvent> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        broker.close();
    }

    static class Two {
        @PenstockListener(id = "one", topic = "orders")
        void one(final String text) {}

        @PenstockListener(id = "two", topic = "orders")
        void two(final String text) {}
    }

    private TestContext start() {
        return TestContext.start(
                broker.clients(),
                context -> context.addApplicationListener((ApplicationListener<ContainerFailedEvent>) failures::add),
                Two.class);
    }

    private static void awaitRunning(final TestContext context) {
        for (final String id : List.of("one", "two")) {
            final PenstockListenerContainer container = context.container(id);
            Eventually.await(id + " is subscribed", () -> container.getState() == ContainerState.RUNNING);
            Eventually.await(id + " is well", () -> container.getFailure() == null);
        }
    }

    @Test
    void shouldWarnOnceWhenTheProgramStartsWithoutItsBroker() {
        broker.stop();
        try (LogCapture connection = new LogCapture(PenstockConnection.class);
                LogCapture listeners = new LogCapture(PenstockListenerContainer.class);
                TestContext context = start()) {
            Eventually.await("both have tried often", () -> failures.size() >= 6);
            assertThat(context.container("one").getFailure()).isNotNull();
            broker.start();
            awaitRunning(context);

            assertThat(connection.texts())
                    .hasSize(2)
                    .satisfiesExactly(
                            text -> assertThat(text)
                                    .contains("cannot be reached")
                                    .contains(broker.endpoint()),
                            text -> assertThat(text).contains("is reached"));
            assertThat(listeners.texts()).isEmpty();
        }
    }
}
