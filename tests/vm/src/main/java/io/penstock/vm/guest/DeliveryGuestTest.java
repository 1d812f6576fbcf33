package io.penstock.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.SubscribeRequest;
import io.penstock.vm.Guest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of a whole broker, which leave from the memory of its log; the figure of what is copied is for people, too. */
@Timeout(180)
public class DeliveryGuestTest {
    private static final int LENGTH = 8 * 1024;
    private static final int COUNT = 1000;
    private static final int SUBSCRIBER_COUNT = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The guest's network ends in the guest. */
    private static final SecurityConfig TRUSTING = new SecurityConfig(
            SecurityConfig.defaults().authenticator(), SecurityConfig.defaults().authorizer(), true);

    /** One copy is the log's. */
    @ParameterizedTest
    @CsvSource({"rdma, 1.0, 1.1", "tcp, 1.0, 3.1"})
    void shouldCopyMessagesIntoTheLogAlone(final String transport, final double leastCopies, final double mostCopies)
            throws Exception {
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                        .listen(transport + "://" + Guest.ADDRESS + ":0")
                        .security(TRUSTING)
                        .build());
                PenstockClient publisher = connect(broker)) {
            publisher.declareTopic("bytes", "binary");
            final PenstockClient[] subscribers = new PenstockClient[SUBSCRIBER_COUNT];
            final CountDownLatch received = new CountDownLatch(SUBSCRIBER_COUNT * COUNT);
            final AtomicLong wrongCount = new AtomicLong();
            for (int i = 0; i < subscribers.length; i++) {
                subscribers[i] = connect(broker);
                final var unused = subscribers[i].subscribe(SubscribeRequest.topic("bytes"), message -> {
                    wrongCount.addAndGet(isRight(message) ? 0 : 1);
                    received.countDown();
                });
            }

            for (int i = 0; i < COUNT; i++) {
                publisher.publish("bytes", new UnsafeBuffer(payload(i)), 0, LENGTH);
            }

            assertThat(received.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(wrongCount).hasValue(0);
            final double copies = (broker.counter("payloadBytesCopied") + broker.counter("transportBytesCopied"))
                    / ((double) LENGTH * COUNT);
            System.out.printf(
                    "delivery: %s, %d messages of %d bytes to %d subscribers: copies_per_msg %.3f%n",
                    transport, COUNT, LENGTH, SUBSCRIBER_COUNT, copies);
            assertThat(copies).isBetween(leastCopies, mostCopies);
            Arrays.stream(subscribers).forEach(PenstockClient::close);
        }
    }

    private static PenstockClient connect(final Broker broker) {
        return PenstockClient.connect(
                ClientConfig.builder(broker.endpoints().get(0).toString())
                        .requestTimeout(PATIENCE)
                        .closeTimeout(PATIENCE)
                        .build());
    }

    /** All bytes follow from the number. */
    private static byte[] payload(final int number) {
        final byte[] bytes = new byte[LENGTH];
        new Random(number).nextBytes(bytes);
        bytes[0] = (byte) number;
        bytes[1] = (byte) (number >> Byte.SIZE);
        return bytes;
    }

    private static boolean isRight(final MessageView message) {
        final byte[] bytes = message.bytes();
        return Arrays.equals(bytes, payload((bytes[0] & 0xFF) | ((bytes[1] & 0xFF) << Byte.SIZE)));
    }
}
