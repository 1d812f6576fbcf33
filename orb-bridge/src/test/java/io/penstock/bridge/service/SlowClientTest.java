package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.SubscribeRequest;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client that takes its messages later than they are there, from a broker that sends far faster, by a socket. */
@Timeout(120)
class SlowClientTest {
    private static final String TOPIC = "bytes";

    private static Broker broker() {
        return Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .topic(TopicConfig.topic(TOPIC, "binary"))
                .build());
    }

    private static BridgeConfig config(final int queueCountMax, final int queueLengthMax) {
        final BridgeConfig all = BridgeConfig.defaults();
        return new BridgeConfig(
                RmiConfig.none(),
                IiopConfig.none(),
                all.sessionCountMax(),
                all.subscriptionCountMax(),
                all.queryCountMax(),
                1 << 20,
                all.batchCountMax(),
                1 << 20,
                queueCountMax,
                queueLengthMax,
                all.heldLengthMax(),
                all.leaseMs(),
                all.callTimeoutMs(),
                all.waitMsMax(),
                all.callbackTimeoutMs(),
                all.callbackThreadCountMax(),
                "");
    }

    /** Far more than the queue holds, and with it all sockets on the way. */
    @ParameterizedTest
    @CsvSource({
        "400000, 12, 32768, 67108864",
        "8000, 12, 64, 1048576",
        "3000, 12, 4, 1048576",
        "10000, 1000, 32768, 1048576",
        "300, 100000, 32768, 1048576",
        "50, 1000000, 32768, 1048576"
    })
    void shouldLoseNothingAndHoldNoMoreThanItsQueue(
            final int count, final int length, final int queueCountMax, final int queueLengthMax) throws Exception {
        final BridgeConfig config = config(queueCountMax, queueLengthMax);
        try (Broker broker = broker();
                PenstockClient publisher = PenstockClient.connect(
                        ClientConfig.builder(broker.endpoints().get(0).toString())
                                .build())) {
            final BridgeService service =
                    new BridgeService(config, broker.endpoints().get(0).toString());
            try {
                final BridgeSession session = service.guest();
                final long subscription = session.subscribe(SubscribeRequest.topic(TOPIC), null);
                final Thread publishing = new Thread(() -> publish(publisher, count, length), "publisher");
                publishing.start();

                final Random random = new Random(count);
                int taken = 0;
                while (taken < count) {
                    assertThat(service.heldLength()).isLessThanOrEqualTo(queueLengthMax);
                    for (final DeliveryWithHeaders each :
                            session.next(subscription, 1 + random.nextInt(1000), 20_000)) {
                        assertThat(new UnsafeBuffer(each.message().data()).getInt(0))
                                .isEqualTo(taken);
                        taken++;
                    }
                }
                publishing.join();
                assertThat(service.counters().get(BridgeCounter.FELL_BEHIND)).isZero();
            } finally {
                service.close();
            }
        }
    }

    private static void publish(final PenstockClient publisher, final int count, final int length) {
        final UnsafeBuffer data = new UnsafeBuffer(new byte[length]);
        for (int i = 0; i < count; i++) {
            data.putInt(0, i);
            publisher.publish(TOPIC, data, 0, length);
        }
    }

    /** One that takes nothing keeps no room from another one of the same session. */
    @Test
    void shouldServeOthersOfTheSessionWhileOneTakesNothing() throws Exception {
        final int count = 20_000;
        try (Broker broker = broker();
                PenstockClient publisher = PenstockClient.connect(
                        ClientConfig.builder(broker.endpoints().get(0).toString())
                                .build())) {
            final BridgeService service = new BridgeService(
                    config(1000, 1 << 26), broker.endpoints().get(0).toString());
            try {
                final BridgeSession session = service.guest();
                final long standing = session.subscribe(SubscribeRequest.topic(TOPIC), null);
                final long going = session.subscribe(SubscribeRequest.topic(TOPIC), null);
                final Thread publishing = new Thread(() -> publish(publisher, count, 12), "publisher");
                publishing.start();
                assertAllTaken(session, going, count);
                publishing.join();
                assertAllTaken(session, standing, count);
            } finally {
                service.close();
            }
        }
    }

    private static void assertAllTaken(final BridgeSession session, final long subscription, final int count)
            throws Exception {
        int taken = 0;
        while (taken < count) {
            for (final DeliveryWithHeaders each : session.next(subscription, 1000, 20_000)) {
                assertThat(new UnsafeBuffer(each.message().data()).getInt(0)).isEqualTo(taken);
                taken++;
            }
        }
    }
}
