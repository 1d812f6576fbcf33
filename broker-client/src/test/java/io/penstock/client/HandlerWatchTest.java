package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Warnings of handlers that keep the client's thread. */
class HandlerWatchTest {
    private final Logger logger = Logger.getLogger("io.penstock.client");
    private final List<String> warnings = new ArrayList<>();
    private final Handler recorder = new Handler() {
        @Override
        public void publish(final LogRecord next) {
            warnings.add(next.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void record() {
        logger.addHandler(recorder);
    }

    @AfterEach
    void end() {
        logger.removeHandler(recorder);
    }

    private static ClientFixture fixture(final String name, final long limitMs) {
        final ClientFixture fixture =
                new ClientFixture(name, config -> config.handlerWarning(Duration.ofMillis(limitMs))).loggedOn();
        final CompletableFuture<Subscription> made = fixture.client.subscribeAsync(
                SubscribeRequest.topic("orders"),
                message -> fixture.clock.advanceMillis(Long.parseLong(message.text())));
        fixture.poll();
        fixture.broker.ack(AckType.PROCESSED, 2);
        fixture.broker.topic(0, 3, "orders");
        fixture.poll();
        assertThat(made).isCompleted();
        return fixture;
    }

    private static void deliver(final ClientFixture fixture, final String... delaysMs) {
        fixture.broker.deliver(1, 3, 1, delaysMs);
        fixture.poll();
    }

    @Test
    void shouldWarnWhenHandlersKeepTheThreadForTooLong() {
        try (ClientFixture fixture = fixture("watch", 100)) {
            deliver(fixture, "10", "89");
            assertThat(warnings).isEmpty();
            deliver(fixture, "10", "40", "50");
            assertThat(warnings).hasSize(1);
            assertThat(warnings.get(0))
                    .startsWith(
                            "handler: keeps the client's thread, which neither sends nor receives meanwhile: 100 ms,"
                                    + " with 3 messages, the last one of the subscription to orders (return sooner");
        }
    }

    @Test
    void shouldWarnOnceASecondAndCountTheOthers() {
        try (ClientFixture fixture = fixture("watch-rate", 100)) {
            for (int i = 0; i < 4; i++) {
                deliver(fixture, "300");
            }
            assertThat(warnings).hasSize(1);
            deliver(fixture, "300");
            assertThat(warnings).hasSize(2);
            assertThat(warnings.get(1)).endsWith(" (and 3 times more since the last warning)");
        }
    }

    @Test
    void shouldNotWarnWhenItIsOff() {
        try (ClientFixture fixture = fixture("watch-off", 0)) {
            deliver(fixture, "1000");
            assertThat(warnings).isEmpty();
        }
    }
}
