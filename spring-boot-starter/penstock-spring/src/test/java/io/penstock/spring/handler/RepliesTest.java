package io.penstock.spring.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.LogPlace;
import io.penstock.client.PenstockClient;
import io.penstock.client.ReplayRequest;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.endpoint.PenstockListenerEndpoint;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistrar;
import io.penstock.spring.listener.DefaultErrorHandler;
import io.penstock.spring.listener.ListenerSubscription;
import io.penstock.spring.listener.PenstockListenerContainer;
import io.penstock.spring.template.PenstockTemplate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.util.backoff.FixedBackOff;

/** A broker that is away while a result is sent. */
class RepliesTest {
    /** A bean with a listener's method. */
    public static final class Answers {
        private final AtomicInteger calls = new AtomicInteger();
        private final CountDownLatch hasCome = new CountDownLatch(1);
        private final CountDownLatch isAway = new CountDownLatch(1);

        @SendTo("answers")
        public String on(final String text) throws InterruptedException {
            hasCome.countDown();
            if (!isAway.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the broker was not stopped");
            }
            return Integer.toString(calls.incrementAndGet());
        }
    }

    @Test
    void shouldSendOneResultOfOneCallWhenTheBrokerIsAwayForSeveralAttempts(@TempDir final Path directory)
            throws Exception {
        final Answers answers = new Answers();
        final AtomicInteger failures = new AtomicInteger();
        try (TestBroker broker = TestBroker.journaled(directory);
                PenstockConnection connection = new PenstockConnection(broker.clients())) {
            final PenstockTemplate template = new PenstockTemplate(connection);
            final HandlerMethods methods = new HandlerMethods(
                    () -> template, new PenstockListenerEndpointRegistrar(), text -> text, Duration.ofMillis(20));
            final PenstockListenerContainerFactory factory = new PenstockListenerContainerFactory(connection);
            final DefaultErrorHandler handler = new DefaultErrorHandler(new FixedBackOff(1, Long.MAX_VALUE));
            factory.getSettings().setErrorHandler(failure -> {
                failures.incrementAndGet();
                return handler.onFailure(failure);
            });
            final PenstockListenerContainer container = factory.createContainer(new PenstockListenerEndpoint(
                    "answers",
                    ListenerSubscription.topic("questions").build(),
                    methods.ofMethod(answers, Answers.class.getMethod("on", String.class), false)));
            container.start();
            try (PenstockClient client = broker.client()) {
                client.publish("questions", "1");
                assertThat(answers.hasCome.await(30, TimeUnit.SECONDS)).isTrue();
            }
            broker.stop();
            answers.isAway.countDown();
            Eventually.await("it was tried again and again", () -> failures.get() >= 5);
            broker.start();

            final List<String> sent = new CopyOnWriteArrayList<>();
            try (PenstockClient client = broker.client()) {
                Eventually.await("it is connected", connection::isConnected);
                client.subscribe(
                        ReplayRequest.topic("answers").from(LogPlace.BEGINNING),
                        message -> sent.add(message.toMessage().text()));
                client.publish("questions", "2");
                Eventually.await("both are answered", () -> sent.contains("2"));
            }
            assertThat(sent).containsExactly("1", "2");
            container.stop();
        }
    }
}
