package io.penstock.system.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.SessionListener;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands and deliveries whose frames reach the other side in two pieces, wherever they are cut. */
class CutFramesTest implements SessionListener {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int[] FRAME_LENGTHS = {100, 65_535, 65_536, 65_537, 200_000};
    private static final int FIRST_CUT_COUNT = 256;
    private static final int RANDOM_CUT_COUNT = 200;
    private static final UnsafeBuffer TOPIC = new UnsafeBuffer("cut".getBytes(US_ASCII));

    private final List<byte[]> received = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private boolean isLoggedOn;
    private boolean isAcknowledged;

    @ParameterizedTest
    @ValueSource(strings = {"tcp://127.0.0.1:0", "tcp://127.0.0.1:0 ipc:cut-frames-test"})
    void shouldTakeCommandsAndDeliveriesWhereverTheirFramesAreCut(final String endpoints) throws IOException {
        final BrokerConfig.Builder config = BrokerConfig.builder().threading(ThreadingMode.INVOKER);
        for (final String endpoint : endpoints.split(" ", -1)) {
            config.listen(endpoint);
        }
        try (Broker broker = Broker.launch(config.build());
                CuttingRelay relay = new CuttingRelay(broker.endpoints().get(0));
                ClientSession session = ClientSession.open(
                        ClientConfig.builder(relay.endpoint().toString()).build(), this)) {
            session.connect();
            await("logged on", () -> isLoggedOn, broker, relay, session);
            session.offerSubscribe(1, SubscribeRequest.topic("cut"));
            await("subscribed", () -> isAcknowledged, broker, relay, session);
            relay.forgetLongest();
            echo(new byte[] {'"', '"'}, broker, relay, session);
            final int commandHeader = relay.longestCommand() - 2;
            echo(random(100_000, new Random(0)), broker, relay, session);
            final int answerHeader = relay.longestAnswer() - 100_000;

            for (final int frameLength : FRAME_LENGTHS) {
                relay.forgetLongest();
                cutEach(frameLength, frameLength - commandHeader, broker, relay, session);
                assertThat(relay.longestCommand()).isEqualTo(frameLength);
                relay.forgetLongest();
                cutEach(frameLength, frameLength - answerHeader, broker, relay, session);
                // Of records that fit a part their padding is sent as well.
                assertThat(relay.longestAnswer()).isBetween(frameLength, frameLength + 64);
            }
        }
    }

    private void cutEach(
            final int frameLength,
            final int payloadLength,
            final Broker broker,
            final CuttingRelay relay,
            final ClientSession session) {
        final Random random = new Random(frameLength);
        final byte[] message = random(payloadLength, random);
        for (int i = 1; i <= FIRST_CUT_COUNT + RANDOM_CUT_COUNT; i++) {
            relay.cut = i <= FIRST_CUT_COUNT ? i : 1 + random.nextInt(frameLength);
            message[1 + i % (payloadLength - 2)] = (byte) ('a' + i % 26);
            echo(message, broker, relay, session);
        }
        relay.cut = 0;
    }

    private void echo(
            final byte[] message, final Broker broker, final CuttingRelay relay, final ClientSession session) {
        received.clear();
        final UnsafeBuffer payload = new UnsafeBuffer(message);
        await(
                "taken",
                () -> session.offerPublish(TOPIC, 0, TOPIC.capacity(), payload, 0, message.length, 0, 0) > 0,
                broker,
                relay,
                session);
        await("delivered", () -> !received.isEmpty(), broker, relay, session);
        assertThat(Arrays.equals(received.get(0), message))
                .as("a message of %d bytes, cut at %d", message.length, relay.cut)
                .isTrue();
    }

    /** A string in JSON. */
    private static byte[] random(final int length, final Random random) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(26));
        }
        bytes[0] = '"';
        bytes[length - 1] = '"';
        return bytes;
    }

    private void await(
            final String what,
            final BooleanSupplier condition,
            final Broker broker,
            final CuttingRelay relay,
            final ClientSession session) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            session.poll();
            try {
                relay.pump();
            } catch (final IOException e) {
                failures.add("the broker has closed the connection: " + e.getMessage());
            }
            broker.invoke();
            assertThat(failures).as("cut at %d", relay.cut).isEmpty();
            assertThat(System.nanoTime() - startNs)
                    .as("not in time: %s, cut at %d", what, relay.cut)
                    .isLessThan(DEADLINE_NS);
        }
    }

    @Override
    public void onLogon() {
        isLoggedOn = true;
    }

    @Override
    public boolean onMessage(
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return received.add(bytes);
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        isAcknowledged = true;
    }

    @Override
    public void onError(final BrokerError error) {
        failures.add(error.toString());
    }

    @Override
    public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        failures.add(reason);
    }
}
