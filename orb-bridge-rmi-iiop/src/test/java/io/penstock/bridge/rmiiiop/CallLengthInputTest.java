package io.penstock.bridge.rmiiiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallLengthInputTest {
    private static final int LENGTH_MAX = 1000;
    private static final int REQUEST = 0;
    private static final int CANCEL = 2;
    private static final int FRAGMENT = 7;

    @ParameterizedTest
    @CsvSource({"4, false", "5, true", "1000, false", "1000, true"})
    void shouldGiveEveryByteWhenMessagesAreShort(final int length, final boolean isLittleEndian) throws IOException {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int n = 0; n < 5; n++) {
            all.writeBytes(message(REQUEST, length, false, isLittleEndian));
        }

        assertThat(read(all.toByteArray())).isEqualTo(all.toByteArray());
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
    void shouldBeginAnewWhenAllFragmentsHaveCome() throws IOException {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int n = 0; n < 5; n++) {
            all.writeBytes(message(REQUEST, 300, true, false, 1));
            all.writeBytes(message(REQUEST, 300, true, true, 2));
            all.writeBytes(message(FRAGMENT, 200, false, false, 1));
            all.writeBytes(message(FRAGMENT, 200, false, true, 2));
        }

        assertThat(read(all.toByteArray())).isEqualTo(all.toByteArray());
    }

    @ParameterizedTest
    @CsvSource({"7, 999", "0, 1"})
    void shouldEndWhenAMessageIsOutOfOrder(final int type, final int id) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(message(REQUEST, 600, true, false, 1));
        all.writeBytes(message(type, 4, false, false, id));

        assertThatThrownBy(() -> read(all.toByteArray())).hasMessageContaining("not in order");
    }

    @Test
    void shouldEndWhenTooManyAreNotComplete() {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int n = 0; n < 17; n++) {
            all.writeBytes(message(REQUEST, 4, true, false, n));
        }

        assertThatThrownBy(() -> read(all.toByteArray())).hasMessageContaining("too many");
    }

    @Test
    void shouldForgetACallWhenCancelled() throws IOException {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int n = 0; n < 20; n++) {
            all.writeBytes(message(REQUEST, 900, true, false, n));
            all.writeBytes(message(CANCEL, 4, false, false, n));
        }

        assertThat(read(all.toByteArray())).isEqualTo(all.toByteArray());
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
    private static byte[] read(final byte[] bytes) throws IOException {
        final Random random = new Random(bytes.length);
        final ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (CallLengthInput in = new CallLengthInput(new ByteArrayInputStream(bytes), LENGTH_MAX)) {
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
}
