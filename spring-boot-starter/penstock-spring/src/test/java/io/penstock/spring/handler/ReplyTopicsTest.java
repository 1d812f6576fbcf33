package io.penstock.spring.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.format.header.Headers;
import io.penstock.spring.Eventually;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.SendTo;

/** Whom a message may ask to be answered to. */
class ReplyTopicsTest {
    /** Answers what is asked. */
    static class Answers {
        @Bean
        static PenstockListenerConfigurer configurer() {
            return registrar -> registrar.setReplyTopics(topic -> topic.startsWith("replies."));
        }

        @PenstockListener(topic = "questions")
        @SendTo("answers")
        String on(final String text) {
            return text;
        }
    }

    @Test
    void shouldNotSendToATopicThatMayNotBeAskedFor() {
        final List<String> sent = new CopyOnWriteArrayList<>();
        try (TestBroker broker = TestBroker.inproc();
                PenstockClient client = broker.client();
                TestContext context = TestContext.start(broker.clients(), Answers.class)) {
            for (final String topic : List.of("replies.mine", "orders", "answers")) {
                client.subscribe(
                        topic,
                        message -> sent.add(topic + " " + message.toMessage().text()));
            }
            client.publish(Publication.to("questions").text("1").header(Headers.REPLY_TO, "orders"));
            client.publish(Publication.to("questions").text("2").header(Headers.REPLY_TO, "replies.mine"));
            client.publish("questions", "3");

            Eventually.await(() -> "three were answered, and not " + sent, () -> sent.size() == 3);
            assertThat(sent).containsExactlyInAnyOrder("answers 1", "replies.mine 2", "answers 3");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }
}
