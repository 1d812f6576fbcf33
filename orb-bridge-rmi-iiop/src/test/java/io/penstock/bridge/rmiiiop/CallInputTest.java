package io.penstock.bridge.rmiiiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.service.BridgeCounters;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the ORB is given of what a client sends. */
class CallInputTest {
    private static final int LENGTH_MAX = 1000;
    private static final int REQUEST = 0;
    private static final int CANCEL = 2;
    private static final int FRAGMENT = 7;

    private final CallRoom room = new CallRoom(RmiIiopConfig.onPort(0), new BridgeCounters());
    private final ConnectionShare share = new ConnectionShare(InetAddress.getLoopbackAddress(), () -> {});
    private final Noted noted = new Noted();
    private int lengthMax = LENGTH_MAX;

    @ParameterizedTest
    @CsvSource({"4, false", "5, true", "1000, false", "1000, true"})
    void shouldGiveEveryByteWhenMessagesAreShort(final int length, final boolean isLittleEndian) throws IOException {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int n = 0; n < 5; n++) {
            all.writeBytes(message(REQUEST, length, false, isLittleEndian));
        }

        assertThat(read(all.toByteArray())).isEqualTo(all.toByteArray());
        assertNothingIsHeld();
    }

    @ParameterizedTest
    @CsvSource({"1001, false", "1001, true", "-1, false", "2147483647, true"})
    void shouldEndWhenAMessageSaysThatItIsTooLong(final int length, final boolean isLittleEndian) {
        final byte[] header = header(REQUEST, length, false, isLittleEndian).array();

        assertThatThrownBy(() -> read(header)).isInstanceOf(IOException.class).hasMessageContaining("too long");
    }

    @Test
    void shouldEndWhenFragmentsAreTooLongTogether() {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(message(REQUEST, 600, true, false));
        all.writeBytes(message(FRAGMENT, 401, false, false));

        assertThatThrownBy(() -> read(all.toByteArray())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldEndWhenMessagesThatAreNotCompleteAreTooLongTogether() {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int n = 0; n < 11; n++) {
            all.writeBytes(message(REQUEST, 100, true, false, n));
        }

        assertThatThrownBy(() -> read(all.toByteArray())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldGiveACallWhenItsLastFragmentHasCome() throws IOException {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        final ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int n = 0; n < 5; n++) {
            final byte[][] first = {
                message(REQUEST, 200, true, false, 1), message(FRAGMENT, 200, false, false, 1),
            };
            final byte[][] second = {
                message(REQUEST, 200, true, true, 2),
                message(FRAGMENT, 20, true, true, 2),
                message(FRAGMENT, 200, false, true, 2)
            };
            final byte[] whole = message(REQUEST, 4, false, false, 3);
            for (final byte[] each : new byte[][] {first[0], second[0], second[1], whole, first[1], second[2]}) {
                all.writeBytes(each);
            }
            for (final byte[] each : new byte[][] {whole, first[0], first[1], second[0], second[1], second[2]}) {
                expected.writeBytes(each);
            }
        }

        assertThat(read(all.toByteArray())).isEqualTo(expected.toByteArray());
        assertNothingIsHeld();
    }

    @Test
    void shouldGiveNothingOfACallWhenItsRestIsMissing() throws IOException {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(message(REQUEST, 300, true, false, 1));
        all.writeBytes(message(REQUEST, 4, false, false, 2));
        all.writeBytes(message(FRAGMENT, 300, true, false, 1));

        assertThat(read(all.toByteArray())).isEqualTo(message(REQUEST, 4, false, false, 2));

        assertThat(noted.isInPart).isTrue();
        assertThat(room.length()).isGreaterThan(600);
        room.close(share);
        assertNothingIsHeld();
    }

    @Test
    void shouldCountACallWhenItIsGiven() throws IOException {
        try (CallInput in = input(message(REQUEST, 500, false, false, 1))) {
            assertThat(in.read()).isEqualTo('G');

            assertThat(room.length()).isEqualTo(512);
            assertThat(room.callCount()).isOne();
            assertThat(noted.isInPart).isTrue();
            assertThat(in.readAllBytes()).hasSize(511);
            assertThat(noted.isInPart).isFalse();
        }
        CallRoom.leave();
        assertNothingIsHeld();
    }

    @Test
    void shouldEndWhenSomethingElseIsLong() {
        assertThatThrownBy(() -> read(message(1, 1001, false, false))).hasMessageContaining("too long");
    }

    @Test
    void shouldLeaveItToTheOrbWhenItIsNoMessage() throws IOException {
        final byte[] bytes = "GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);

        assertThat(read(bytes)).startsWith("GET / HTTP/1".getBytes(StandardCharsets.US_ASCII));
    }

    private void assertNothingIsHeld() {
        CallRoom.leave();
        assertThat(room.length()).isZero();
        assertThat(room.callCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"7, 999", "0, 1"})
    void shouldEndWhenAMessageIsOutOfOrder(final int type, final int id) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(message(REQUEST, 600, true, false, 1));
        all.writeBytes(message(type, 4, true, false, id));

        assertThatThrownBy(() -> read(all.toByteArray())).hasMessageContaining("not in order");
    }

    @Test
    void shouldEndWhenTooManyAreNotComplete() {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        lengthMax = 2000;
        for (int n = 0; n < 17; n++) {
            all.writeBytes(message(REQUEST, 4, true, false, n));
        }

        assertThatThrownBy(() -> read(all.toByteArray())).hasMessageContaining("too many");
    }

    @Test
    void shouldCountWhatAFragmentTakesWhenItIsShort() {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(message(REQUEST, 4, true, false, 1));
        for (int n = 0; n < 13; n++) {
            all.writeBytes(message(FRAGMENT, 4, true, false, 1));
        }

        assertThatThrownBy(() -> read(all.toByteArray())).hasMessageContaining("too long");
    }

    @Test
    void shouldForgetACallWhenCancelled() throws IOException {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int n = 0; n < 20; n++) {
            all.writeBytes(message(REQUEST, 900, true, false, n));
            all.writeBytes(message(CANCEL, 4, false, false, n));
        }

        assertThat(read(all.toByteArray())).isEmpty();
        assertNothingIsHeld();
    }

    @Test
    void shouldNotifyTheOrbWhenAWholeCallIsCancelled() throws IOException {
        final byte[] cancel = message(CANCEL, 4, false, false, 5);

        assertThat(read(cancel)).isEqualTo(cancel);
    }

    private static byte[] message(
            final int type, final int length, final boolean hasMore, final boolean isLittleEndian) {
        return message(type, length, hasMore, isLittleEndian, 1);
    }

    private static byte[] message(
            final int type, final int length, final boolean hasMore, final boolean isLittleEndian, final int id) {
        final byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        ByteBuffer.wrap(body)
                .order(isLittleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
                .putInt(id);
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(header(type, length, hasMore, isLittleEndian).array());
        out.writeBytes(body);
        return out.toByteArray();
    }

    private static ByteBuffer header(
            final int type, final int length, final boolean hasMore, final boolean isLittleEndian) {
        final int flags = (isLittleEndian ? 1 : 0) + (hasMore ? 2 : 0);
        return ByteBuffer.allocate(12)
                .order(isLittleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
                .put(new byte[] {'G', 'I', 'O', 'P', 1, 2, (byte) flags, (byte) type})
                .putInt(length);
    }

    /** In pieces of any length, some of a single byte. */
    private byte[] read(final byte[] bytes) throws IOException {
        final Random random = new Random(bytes.length);
        final ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (CallInput in = input(bytes)) {
            final byte[] piece = new byte[64];
            while (true) {
                if (random.nextBoolean()) {
                    final int value = in.read();
                    if (value < 0) {
                        return read.toByteArray();
                    }
                    read.write(value);
                } else {
                    final int count = in.read(piece, 0, 1 + random.nextInt(piece.length));
                    if (count < 0) {
                        return read.toByteArray();
                    }
                    read.write(piece, 0, count);
                }
            }
        }
    }

    private CallInput input(final byte[] bytes) {
        return new CallInput(new ByteArrayInputStream(bytes), lengthMax, room, share, noted);
    }

    /** What was reported last. */
    private static final class Noted implements CallInput.Progress {
        private boolean isInPart;
        private boolean isWaiting;

        @Override
        public void note(final int length) {
            assertThat(length).isLessThanOrEqualTo(64 * 1024);
        }

        @Override
        public void noteEnd(final boolean hasBegun) {
            isInPart = hasBegun;
        }

        @Override
        public void noteWait(final boolean waits) {
            assertThat(waits).isNotEqualTo(isWaiting);
            isWaiting = waits;
        }
    }
}
