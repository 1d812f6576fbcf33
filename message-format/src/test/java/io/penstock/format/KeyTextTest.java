package io.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class KeyTextTest {
    @Test
    void shouldShowEachKindOfValue() {
        assertThat(KeyText.of(key("{\"a\":1,\"b\":\"x, \\u00e9\",\"c\":true,\"d\":0.5}", "a, b, c, d")))
                .isEqualTo("1, \"x, \u00e9\", true, 0.5");
        assertThat(KeyText.of(key("{\"a\":false,\"b\":-7}", "a, b"))).isEqualTo("false, -7");
    }

    @Test
    void shouldEndWithDotsWhereItIsNoKey() {
        final UnsafeBuffer good = key("{\"a\":1,\"b\":\"text\"}", "a, b");
        for (int length = 1; length < good.capacity(); length++) {
            final String text = KeyText.of(new UnsafeBuffer(good, 0, length));
            assertThat(text).as("cut to %d", length).isEqualTo(length < 9 ? "..." : length == 9 ? "1" : "1, ...");
        }
        assertThat(KeyText.of(new UnsafeBuffer(new byte[] {99, 0}))).isEqualTo("...");
    }

    private static UnsafeBuffer key(final String message, final String fields) {
        final KeyReader reader = new KeyReader(MessageFormats.formatFor("json"), FieldSelection.parse(fields));
        final byte[] bytes = message.getBytes(UTF_8);
        assertThat(reader.read(new UnsafeBuffer(bytes), 0, bytes.length)).isNull();
        final byte[] key = new byte[reader.length()];
        reader.buffer().getBytes(0, key);
        return new UnsafeBuffer(key);
    }
}
