package io.penstock.broker;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that do not keep to the protocol: each loses its own connection, with one error that says why. */
class ProtocolAbuseTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_120L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 1);
    private static final int FRAMES_EACH = 300;
    private static final int VERSION = FrameHeader.VERSION;
    private static final int SCHEMA = FrameHeader.SCHEMA_ID;
    private static final int LOGON = 1;
    private static final int PUBLISH = 2;
    private static final int SUBSCRIBE = 3;
    private static final int UNSUBSCRIBE = 4;
    private static final int FLUSH = 5;
    private static final int HEARTBEAT = 6;
    private static final int TOPICS = 8;
    private static final int ACK = 102;
    private static final byte[] BAD_UTF_8 = {'a', (byte) 0xC3, 'b'};

    static Stream<Arguments> badFrames() {
        return Stream.of(
                arguments("empty", new byte[0], ErrorCode.BAD_FRAME),
                arguments("shorter than a header", new byte[] {1, 2, 3, 4, 5, 6, 7}, ErrorCode.BAD_FRAME),
                arguments("other schema", frame(0, HEARTBEAT, SCHEMA + 1, VERSION), ErrorCode.UNSUPPORTED_VERSION),
                arguments("version 0", frame(0, HEARTBEAT, SCHEMA, 0), ErrorCode.UNSUPPORTED_VERSION),
                arguments("no such template", frame(0, 99, SCHEMA, VERSION), ErrorCode.UNKNOWN_COMMAND),
                arguments("highest template", frame(0, 0xFFFF, SCHEMA, VERSION), ErrorCode.UNKNOWN_COMMAND),
                arguments("an answer", frame(34, ACK, SCHEMA, VERSION, new byte[34]), ErrorCode.UNKNOWN_COMMAND),
                arguments("block cut", frame(8, FLUSH, SCHEMA, VERSION, new byte[7]), ErrorCode.BAD_FRAME),
                arguments("block too short", frame(7, FLUSH, SCHEMA, VERSION, new byte[7]), ErrorCode.BAD_FRAME),
                arguments("bytes behind", frame(8, FLUSH, SCHEMA, VERSION, new byte[9]), ErrorCode.BAD_FRAME),
                arguments("no text", frame(8, TOPICS, SCHEMA, VERSION, new byte[8]), ErrorCode.BAD_FRAME),
                arguments(
                        "text cut",
                        frame(8, TOPICS, SCHEMA, VERSION, new byte[8], text(5, "abc")),
                        ErrorCode.BAD_FRAME),
                arguments(
                        "text short",
                        frame(8, TOPICS, SCHEMA, VERSION, new byte[8], text(2, "abc")),
                        ErrorCode.BAD_FRAME),
                arguments(
                        "payload cut",
                        frame(17, PUBLISH, SCHEMA, VERSION, new byte[17], text(1, "t"), payload(3, "{}")),
                        ErrorCode.BAD_FRAME),
                arguments(
                        "payload of 4 GiB",
                        frame(17, PUBLISH, SCHEMA, VERSION, new byte[17], text(1, "t"), payload(-1, "{}")),
                        ErrorCode.BAD_FRAME),
                arguments(
                        "long, and no publish",
                        frame(8, TOPICS, SCHEMA, VERSION, new byte[8], text(0xFFF0, "x".repeat(0xFFF0))),
                        ErrorCode.BAD_FRAME),
                arguments(
                        "second logon",
                        frame(12, LOGON, SCHEMA, VERSION, new byte[12], new byte[10]),
                        ErrorCode.NOT_LOGGED_ON));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badFrames")
    void shouldCloseOnlyThePeerWhenItsFrameIsBad(final String name, final byte[] frame, final ErrorCode expected) {
        try (TestBroker test = new TestBroker()) {
            final RawClient good = test.logOn("good");
            good.subscribe(2, 7, "t", "");
            final RawClient bad = test.logOn("bad");
            bad.subscribe(2, 7, "t", "");
            test.awaitAck(good, 2);
            test.awaitAck(bad, 2);
            bad.send(frame);
            bad.publish(9, "t", "{\"from\":\"the closed one\"}");
            test.settle();

            assertThat(bad.fatalErrors).containsExactly(expected);
            assertThat(bad.errors).hasSize(1);
            assertThat(bad.disconnected).isTrue();
            good.publish(3, "t", "{}");
            test.settle();
            assertThat(good.deliveries).extracting(Delivery::text).containsExactly("{}");
            assertThat(test.broker.counter("sessions")).isEqualTo(1);
            test.assertNothingLeaked();
        }
    }

    static Stream<Arguments> commandsBeforeLogon() {
        return Stream.of(
                arguments("publish", frame(17, PUBLISH, SCHEMA, VERSION, new byte[17], text(1, "t"), payload(2, "{}"))),
                arguments("long publish", longPublish(75_000)),
                arguments(
                        "subscribe",
                        frame(
                                37,
                                SUBSCRIBE,
                                SCHEMA,
                                VERSION,
                                new byte[37],
                                text(1, "t"),
                                text(0, ""),
                                text(0, ""),
                                text(0, ""),
                                text(0, ""))),
                arguments("unsubscribe", frame(17, UNSUBSCRIBE, SCHEMA, VERSION, new byte[17])),
                arguments("flush", frame(8, FLUSH, SCHEMA, VERSION, new byte[8])),
                arguments("topics", frame(8, TOPICS, SCHEMA, VERSION, new byte[8], text(0, ""))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandsBeforeLogon")
    void shouldCloseThePeerWhenItGivesCommandsBeforeTheLogon(final String name, final byte[] frame) {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.connect();
            client.send(frame);
            client.logon("late");
            test.settle();

            assertThat(client.events).containsExactly("error 0 0 NOT_LOGGED_ON", "disconnected");
            assertThat(test.broker.counter("messages")).isZero();
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldAllowHeartbeatBeforeTheLogon() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.connect();
            client.heartbeat();
            client.logon("client");
            test.settle();

            assertThat(client.events).containsExactly("logonAck");
        }
    }

    @Test
    void shouldAcceptLongerBlockAndMoreDataWhenVersionIsNewer() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.send(frame(10, FLUSH, SCHEMA, VERSION + 1, new byte[10], text(3, "new")));
            test.settle();

            assertThat(client.events).containsExactly("logonAck", "ack 0 COMPLETED");
        }
    }

    @Test
    void shouldRefuseNamesAndFiltersWhenTheyAreNotUtf8() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.send(frame(17, PUBLISH, SCHEMA, VERSION, new byte[17], text(BAD_UTF_8), payload(2, "{}")));
            client.send(frame(
                    37,
                    SUBSCRIBE,
                    SCHEMA,
                    VERSION,
                    id(37, 7),
                    text(BAD_UTF_8),
                    text(0, ""),
                    text(0, ""),
                    text(0, ""),
                    text(0, "")));
            final byte[] pattern = id(37, 7);
            pattern[16] = 1;
            client.send(frame(
                    37,
                    SUBSCRIBE,
                    SCHEMA,
                    VERSION,
                    pattern,
                    text(BAD_UTF_8),
                    text(0, ""),
                    text(0, ""),
                    text(0, ""),
                    text(0, "")));
            client.send(frame(
                    37,
                    SUBSCRIBE,
                    SCHEMA,
                    VERSION,
                    id(37, 7),
                    text(1, "t"),
                    text(quoted(BAD_UTF_8)),
                    text(0, ""),
                    text(0, ""),
                    text(0, "")));
            test.settle();

            assertThat(client.errors)
                    .containsExactly(
                            ErrorCode.BAD_TOPIC, ErrorCode.BAD_TOPIC, ErrorCode.BAD_PATTERN, ErrorCode.BAD_FILTER);
            assertThat(client.errorTexts).allSatisfy(text -> assertThat(text).contains("UTF-8"));
            assertThat(client.fatalErrors).isEmpty();
            assertThat(test.broker.counter("subscriptions")).isZero();
        }
    }

    @Test
    void shouldRefuseLogonWhenTheClientNameIsNotText() {
        try (TestBroker test = new TestBroker()) {
            for (final byte[] name : new byte[][] {
                BAD_UTF_8, "a\nb".getBytes(UTF_8), "x".repeat(256).getBytes(UTF_8)
            }) {
                final RawClient client = test.connect();
                client.send(frame(12, LOGON, SCHEMA, VERSION, new byte[12], text(name), new byte[8]));
                test.settle();

                assertThat(client.events).containsExactly("error 0 0 BAD_TEXT", "disconnected");
            }
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldRefuseTopicWhenItsNameIsTooLong() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.publish(2, "x".repeat(255), "{}");
            client.publish(3, "x".repeat(256), "{}");
            client.publish(4, "\u00e9".repeat(128), "{}");
            client.publish(5, "", "{}");
            client.publish(6, "a\tb", "{}");
            client.publish(7, "x".repeat(60_000), "{}");
            test.settle();

            assertThat(client.acks).containsOnlyKeys(2L);
            assertThat(client.errors).hasSize(5).containsOnly(ErrorCode.BAD_TOPIC);
            assertThat(client.errorTexts.get(0)).isEqualTo("topic: name too long: 256 bytes (use 1 to 255)");
        }
    }

    @Test
    void shouldDisconnectWhenAFrameIsLongerThanAllowed() {
        try (TestBroker test = new TestBroker()) {
            final RawClient good = test.logOn("good");
            final RawClient bad = test.logOn("bad");
            bad.sendPart(new byte[64 * 1024], 16 * 1024 + 1);
            test.settle();

            assertThat(bad.disconnected).isTrue();
            good.publish(3, "t", "{}");
            test.awaitAck(good, 3);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldGiveUpWhenAFrameNeverEnds() {
        try (TestBroker test = new TestBroker(ProtocolAbuseTest::longMessages)) {
            final RawClient slow = test.connect();
            // What a client asks for its heartbeats does not stretch the time it may take.
            slow.logon("slow", "", 3_600_000);
            test.settle();
            final byte[] frame = longPublish(400_000);
            final int part = 1_000;
            final int start = 64 * 1024;
            slow.sendPart(Arrays.copyOf(frame, start), frame.length - start);
            for (int sent = start; !slow.disconnected && sent < start + 4_000; sent += part) {
                final byte[] bytes = new byte[part];
                System.arraycopy(frame, sent, bytes, 0, part);
                assertThat(slow.sendPart(bytes, frame.length - sent - part)).isTrue();
                test.advance(900);
            }
            test.settle();

            assertThat(slow.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
            assertThat(slow.disconnected).isTrue();
            assertStagingIsFree(test);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldGiveStagingBackWhenPeersLeaveInTheMiddleOfAFrame() {
        try (TestBroker test = new TestBroker(ProtocolAbuseTest::longMessages)) {
            for (int i = 0; i < 10; i++) {
                final RawClient client = test.logOn("client-" + i);
                final byte[] bytes = new byte[64 * 1024];
                System.arraycopy(longPublish(400_000), 0, bytes, 0, bytes.length);
                client.sendPart(bytes, 400_000 - bytes.length);
                test.settle();
                client.disconnect();
                test.settle();
            }
            assertStagingIsFree(test);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldWaitForStagingWhenItIsUsedUp() {
        try (TestBroker test = new TestBroker(ProtocolAbuseTest::longMessages)) {
            final byte[] frame = longPublish(400_000);
            final byte[] begin = new byte[64 * 1024];
            System.arraycopy(frame, 0, begin, 0, begin.length);
            final RawClient first = test.logOn("first");
            final RawClient second = test.logOn("second");
            first.sendPart(begin, frame.length - begin.length);
            second.sendPart(begin, frame.length - begin.length);
            test.settle();
            final RawClient third = test.logOn("third");
            third.publish(2, 0, RawClient.ACK_PROCESSED, "b", new byte[400_000]);
            test.settle();
            assertThat(third.acks).isEmpty();
            first.disconnect();
            test.settle();

            assertThat(third.acks).containsKey(2L);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldSurviveAnyBytes() {
        for (int i = 0; i < SEED_COUNT; i++) {
            surviveAnyBytes(SEED + i);
        }
    }

    private static void surviveAnyBytes(final long seed) {
        final Random random = new Random(seed);
        try (TestBroker test = new TestBroker()) {
            final RawClient good = test.logOn("good");
            for (int i = 0; i < FRAMES_EACH; i++) {
                final RawClient bad = test.logOn("bad");
                final byte[] frame = anyFrame(bad, random);
                for (int k = random.nextInt(3); k >= 0 && frame.length > 0; k--) {
                    frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
                }
                bad.send(frame);
                test.settle();
                assertThat(bad.fatalErrors.size())
                        .as("seed %d frame %d", seed, i)
                        .isLessThanOrEqualTo(1);
                assertThat(bad.disconnected).as("seed %d frame %d", seed, i).isEqualTo(!bad.fatalErrors.isEmpty());
                bad.close();
                test.clients.remove(bad);
            }
            test.flush(good);
            test.assertNothingLeaked();
        }
    }

    /** A frame of each kind in turn, or noise. */
    private static byte[] anyFrame(final RawClient client, final Random random) {
        final int kind = random.nextInt(9);
        // The frame that is sent here is a good one; what follows it is the same with a few bytes changed.
        switch (kind) {
            case 0 -> client.publish(2, "t", "{\"a\":1}");
            case 1 -> client.subscribe(2, 7, "t", "a = 1");
            case 2 -> client.subscribe(2, 7, "t.*", "a = 'x'", true);
            case 3 -> client.unsubscribe(2, 7);
            case 4 -> client.flush(2);
            case 5 -> client.stat(2, "io");
            case 6 -> client.topics(2, "t");
            case 7 -> client.declareTopic(2, "d", "json");
            default -> {
                final byte[] noise = new byte[random.nextInt(200)];
                random.nextBytes(noise);
                return noise;
            }
        }
        return client.lastFrame();
    }

    private static void assertStagingIsFree(final TestBroker test) {
        final RawClient first = test.logOn("first");
        final RawClient second = test.logOn("second");
        final byte[] frame = longPublish(400_000);
        final byte[] begin = new byte[64 * 1024];
        System.arraycopy(frame, 0, begin, 0, begin.length);
        // Two such frames need the whole budget; the second is whole.
        first.sendPart(begin, frame.length - begin.length);
        second.publish(2, 0, RawClient.ACK_PROCESSED, "b", new byte[400_000]);
        test.settle();
        assertThat(second.acks).containsKey(2L);
    }

    /** Two frames of 400,000 bytes take all the staging there is. */
    private static BrokerConfig.Builder longMessages(final BrokerConfig.Builder builder) {
        return builder.sessions(new SessionConfig(64, 64, 512 * 1024 - 100, 64, 64, 1024, 64, 1 << 20, 1_000, 500))
                .window(new WindowConfig(1024 * 1024, 4))
                .formatDefault("binary");
    }

    private static byte[] longPublish(final int length) {
        final int before = FrameHeader.LENGTH + 17 + 3 + 4;
        return frame(
                17,
                PUBLISH,
                SCHEMA,
                VERSION,
                new byte[17],
                text(1, "b"),
                payload(length - before, "x".repeat(length - before)));
    }

    private static byte[] id(final int length, final int id) {
        final byte[] block = new byte[length];
        block[8] = (byte) id;
        return block;
    }

    private static byte[] quoted(final byte[] text) {
        final ByteBuffer buffer = ByteBuffer.allocate(text.length + 6);
        buffer.put("a = '".getBytes(UTF_8)).put(text).put((byte) '\'');
        return buffer.array();
    }

    private static byte[] text(final byte[] text) {
        return ByteBuffer.allocate(2 + text.length)
                .order(LITTLE_ENDIAN)
                .putShort((short) text.length)
                .put(text)
                .array();
    }

    private static byte[] text(final int length, final String text) {
        return ByteBuffer.allocate(2 + text.length())
                .order(LITTLE_ENDIAN)
                .putShort((short) length)
                .put(text.getBytes(UTF_8))
                .array();
    }

    private static byte[] payload(final int length, final String text) {
        return ByteBuffer.allocate(4 + text.length())
                .order(LITTLE_ENDIAN)
                .putInt(length)
                .put(text.getBytes(UTF_8))
                .array();
    }

    private static byte[] frame(
            final int blockLength, final int template, final int schema, final int version, final byte[]... parts) {
        int length = FrameHeader.LENGTH;
        for (final byte[] part : parts) {
            length += part.length;
        }
        final ByteBuffer frame = ByteBuffer.allocate(length).order(LITTLE_ENDIAN);
        frame.putShort((short) blockLength)
                .putShort((short) template)
                .putShort((short) schema)
                .putShort((short) version);
        for (final byte[] part : parts) {
            frame.put(part);
        }
        return frame.array();
    }
}
