package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is asked of a broker that does not answer. */
@Timeout(60)
class PacerTest {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    @Test
    void shouldAskToGoOnWhenNobodyKnowsWhetherItIsPaused() throws Exception {
        final Queue<Runnable> due = new ArrayDeque<>();
        final Pacer pacer = new Pacer(due::add, new BridgeCounters());
        try (Broker broker = Broker.launch(
                        BrokerConfig.builder().listen("tcp://127.0.0.1:0").build());
                StallingProxy proxy =
                        new StallingProxy(broker.endpoints().get(0).getPort());
                PenstockClient client = PenstockClient.connect(ClientConfig.builder(proxy.endpoint())
                        .requestTimeout(TIMEOUT)
                        .closeTimeout(TIMEOUT)
                        .build())) {
            pacer.subscription(client.subscribe("t", message -> {}));
            due.remove().run();
            assertThat(due).as("it is not paused at first").isEmpty();

            proxy.stall();
            pacer.pause(true);
            due.remove().run();
            pacer.pause(false);
            due.remove().run();

            assertThat(due).as("asked again").hasSize(1);
        }
    }
}
