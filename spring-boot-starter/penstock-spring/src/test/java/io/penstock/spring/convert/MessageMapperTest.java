package io.penstock.spring.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.TestBroker;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.MessageHeaders;

class MessageMapperTest {
    @Test
    void shouldNotTakeItsOwnHeadersFromTheMessageWhenAPublisherHasSetThem() throws Exception {
        final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
        try (TestBroker broker = TestBroker.inproc();
                PenstockClient client = broker.client()) {
            client.subscribe("orders", message -> received.add(message.toMessage()));
            client.publish(Publication.to("orders")
                    .text("{}")
                    .header(PenstockHeaders.KEY, "forged")
                    .header(PenstockHeaders.BOOKMARK, "0:1")
                    .header(PenstockHeaders.DELIVERY, "forged")
                    .header(PenstockHeaders.TOPIC, "forged")
                    .header(MessageHeaders.REPLY_CHANNEL, "forged")
                    .header(MessageHeaders.ERROR_CHANNEL, "forged")
                    .header(MessageHeaders.CONTENT_TYPE, 7)
                    .header("region", "EU"));
            final Message message = received.poll(30, TimeUnit.SECONDS);
            assertThat(message).isNotNull();

            final MessageHeaders headers =
                    MessageMapper.toSpring(message, 1, false).getHeaders();

            assertThat(headers)
                    .containsOnlyKeys(
                            MessageHeaders.TIMESTAMP,
                            PenstockHeaders.TOPIC,
                            PenstockHeaders.KIND,
                            PenstockHeaders.RAW,
                            PenstockHeaders.ATTEMPT,
                            "region")
                    .containsEntry(PenstockHeaders.TOPIC, "orders");
            assertThat(MessageMapper.toSpring(message, 1, true).getHeaders().get(PenstockHeaders.KEY))
                    .isNull();
        }
    }
}
