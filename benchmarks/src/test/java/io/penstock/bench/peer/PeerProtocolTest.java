package io.penstock.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bench.Subject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What peers send is understood wherever a read happens to end. */
class PeerProtocolTest {
    private final List<String> deliveries = new ArrayList<>();
    private final Subject.DeliveryHandler handler =
            (buffer, offset, length) -> deliveries.add(buffer.getStringWithoutLengthUtf8(offset, length));

    @Test
    void shouldTakeEveryMessageWhenRedisBytesComeInAnyPieces() {
        final String bytes = lines(
                "*3",
                "$9",
                "subscribe",
                "$5",
                "bench",
                ":1",
                "*3",
                "$7",
                "message",
                "$5",
                "bench",
                "$3",
                "abc",
                "*3",
                "$7",
                "message",
                "$5",
                "bench",
                "$12",
                "",
                "*3",
                "$7",
                ":1",
                "*3",
                "$7",
                "message",
                "$5",
                "bench",
                "$0",
                "");
        for (int piece = 1; piece <= bytes.length(); piece++) {
            deliveries.clear();
            final RedisProtocol redis = new RedisProtocol(handler);

            assertThat(feed(redis, bytes, piece)).isEqualTo(bytes.length());

            assertThat(redis.isSubscribed()).isTrue();
            assertThat(deliveries).containsExactly("abc", lines("", "*3", "$7") + ":1", "");
        }
    }

    @Test
    void shouldPassOverCountsWhenRedisAnswersPublishes() {
        assertThat(feed(new RedisProtocol(handler), ":1\r\n:0\r\n:12\r\n", 2)).isEqualTo(13);
        assertThat(deliveries).isEmpty();
    }

    @Test
    void shouldSayWhatRedisSaysWhenItRefuses() {
        assertThatThrownBy(() -> feed(new RedisProtocol(handler), "-ERR unknown command\r\n", 100))
                .hasMessage("redis: -ERR unknown command");
    }

    @Test
    void shouldTakeEveryMessageWhenNatsBytesComeInAnyPieces() {
        final String bytes = lines(
                "INFO {}",
                "PONG",
                "MSG bench 1 3",
                "abc",
                "PING",
                "MSG bench 1 9",
                "MSG",
                "PING",
                "+OK",
                "MSG bench 1 0",
                "");
        for (int piece = 1; piece <= bytes.length(); piece++) {
            deliveries.clear();
            final NatsProtocol nats = new NatsProtocol(handler);

            assertThat(feed(nats, bytes, piece)).isEqualTo(bytes.length());

            assertThat(nats.isSubscribed()).isTrue();
            assertThat(nats.reply()).isEqualTo("PONG\r\n");
            assertThat(nats.reply()).isEmpty();
            assertThat(deliveries).containsExactly("abc", lines("MSG") + "PING", "");
        }
    }

    @Test
    void shouldSayWhatNatsSaysWhenItRefuses() {
        assertThatThrownBy(() -> feed(new NatsProtocol(handler), "-ERR 'Maximum Payload Violation'\r\n", 100))
                .hasMessage("nats: -ERR 'Maximum Payload Violation'");
    }

    @Test
    void shouldTakeEveryMessageWhenTheForwardersBytesComeInAnyPieces() {
        final String bytes = "\0\0\0\0" + "\3\0\0\0abc" + "\1\0\0\0x";
        for (int piece = 1; piece <= bytes.length(); piece++) {
            deliveries.clear();
            final ForwarderProtocol forwarder = new ForwarderProtocol(handler);

            assertThat(feed(forwarder, bytes, piece)).isEqualTo(bytes.length());

            assertThat(forwarder.isSubscribed()).isTrue();
            assertThat(deliveries).containsExactly("abc", "x");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 10, 99, 100, 101, 1024, 99_999})
    void shouldSayHowLongAPayloadIsWhenItIsPublished(final int length) {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[length]);
        payload.setMemory(0, length, (byte) 'x');
        final ByteBuffer out = ByteBuffer.allocate(length + PeerProtocol.ROOM_BESIDE_PAYLOAD);

        new NatsProtocol(handler).put(payload, 0, length, out);

        assertThat(new String(out.array(), 0, out.position(), StandardCharsets.US_ASCII))
                .isEqualTo(lines("PUB bench " + length, "x".repeat(length)));
    }

    private static String lines(final String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    /** Offers ever more of the bytes, as reads would, and returns how many were taken in the end. */
    private static int feed(final PeerProtocol protocol, final String text, final int piece) {
        final UnsafeBuffer buffer = new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
        int taken = 0;
        for (int end = Math.min(piece, text.length()); ; end = Math.min(end + piece, text.length())) {
            for (int next = taken; next >= 0 && next < end; ) {
                next = protocol.parse(buffer, next, end);
                taken = Math.max(taken, next);
            }
            if (end == text.length()) {
                return taken;
            }
        }
    }
}
