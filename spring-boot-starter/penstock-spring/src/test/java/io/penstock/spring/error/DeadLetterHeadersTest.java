package io.penstock.spring.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.listener.DefaultErrorHandler;
import io.penstock.spring.listener.PenstockErrorHandler;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.util.backoff.FixedBackOff;

/** A dead letter has the headers of its message, whoever has sent it. */
class DeadLetterHeadersTest {
    static class Failing {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 0));
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void on(final String text) {
            throw new IllegalStateException("no");
        }
    }

    @Test
    void shouldKeepAllHeadersWhenTheyAreCalledAsThoseOfSpring() throws Exception {
        final BlockingQueue<Message> dead = new LinkedBlockingQueue<>();
        try (TestBroker broker = TestBroker.inproc();
                PenstockClient client = broker.client();
                TestContext context = TestContext.start(broker.clients(), Failing.class)) {
            client.subscribe("orders.dead", message -> dead.add(message.toMessage()));
            client.publish(Publication.to("orders")
                    .text("{}")
                    .header("id", 7)
                    .header("timestamp", "noon")
                    .header("contentType", "text/plain")
                    .header("penstock_key", "a")
                    .header("penstock_expiration", "soon"));
            final Message letter = Objects.requireNonNull(dead.poll(30, TimeUnit.SECONDS));
            assertThat(letter.headers().toMap())
                    .containsAllEntriesOf(Map.of(
                            "id", 7L,
                            "timestamp", "noon",
                            "contentType", "text/plain",
                            "penstock_key", "a",
                            "penstock_expiration", "soon"));
            assertThat(context.connection().isConnected()).isTrue();
        }
    }
}
