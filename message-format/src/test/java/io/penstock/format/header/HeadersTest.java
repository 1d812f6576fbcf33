package io.penstock.format.header;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
    private static final Headers SOME = Headers.builder()
            .put("region", "Zürich")
            .put("count", Long.MIN_VALUE)
            .put("blob", new byte[] {1, 2})
            .build();

    @Test
    void shouldReadWhatWasPut() {
        assertThat(SOME.count()).isEqualTo(3);
        assertThat(SOME.text("region")).isEqualTo("Zürich");
        assertThat(SOME.text("count")).isEqualTo("-9223372036854775808");
        assertThat(SOME.text("blob")).isNull();
        assertThat(SOME.number("count", 1)).isEqualTo(Long.MIN_VALUE);
        assertThat(SOME.number("region", 1)).isEqualTo(1);
        assertThat(SOME.bytes("blob")).containsExactly(1, 2);
        assertThat(SOME.bytes("region")).isEqualTo("Zürich".getBytes(UTF_8));
        assertThat(SOME.bytes("count")).isNull();
        assertThat(SOME.type("blob")).isEqualTo(HeaderType.BYTES);
        assertThat(SOME.has("Region")).isFalse();
        assertThat(SOME.type("none")).isNull();
        assertThat(SOME).hasToString("region=Zürich, count=-9223372036854775808, blob=2 bytes");
    }

    @Test
    void shouldKeepWhatWasCopied() {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[200]);
        final int end = SOME.write(buffer, 7);
        final Headers view = new Headers().wrap(buffer, 7, end - 7);
        final Headers copy = view.copy();
        assertThat(view).isEqualTo(SOME).hasSameHashCodeAs(SOME);
        buffer.setMemory(0, buffer.capacity(), (byte) 0);
        assertThat(copy).isEqualTo(SOME);
        assertThat(view).isNotEqualTo(SOME);
        assertThat(view.wrap(buffer, 0, 0).isEmpty()).isTrue();
        assertThat(view.copy()).isSameAs(Headers.NONE);
    }

    @Test
    void shouldReplaceAValueThatIsPutAgain() {
        final Headers built = Headers.builder().putAll(SOME).put("count", "x").build();
        assertThat(built.count()).isEqualTo(3);
        assertThat(built.text("count")).isEqualTo("x");
        assertThat(Headers.builder().build()).isSameAs(Headers.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "ä", "a=b", "a'b", "a\nb", "a\u0000"})
    void shouldRefuseBadNames(final String name) {
        assertThatThrownBy(() -> Headers.of(name, "x")).hasMessageStartingWith("header: ");
        assertThat(HeaderLayout.checkName(name)).isNotNull();
        assertThatThrownBy(() -> Headers.of("n".repeat(128), "x")).hasMessageContaining("128 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"content-type", "correlation-id", "reply-to", "traceparent"})
    void shouldTakeTextsAloneUnderReservedNames(final String name) {
        assertThat(Headers.of(name, "x").text(name)).isEqualTo("x");
        assertThatThrownBy(() -> Headers.builder().put(name, 1)).hasMessageContaining("reserved for texts");
        assertThatThrownBy(() -> Headers.builder().put(name, new byte[1])).hasMessageContaining("reserved for texts");
        final UnsafeBuffer block = bytesOf(Headers.of(name, "12345678"));
        block.putByte(2, HeaderLayout.BYTES);
        assertThat(check(block)).contains("reserved for texts");
    }

    @Test
    void shouldHoldAsMuchAsTheBoundsSay() {
        final HeadersBuilder many = Headers.builder();
        for (int i = 0; i < HeaderLayout.COUNT_MAX; i++) {
            many.put("h" + i, i);
        }
        assertThat(check(bytesOf(many.build()))).isNull();
        many.put("one-more", 1);
        assertThatThrownBy(many::build).hasMessageContaining("65 of them");
        final int room = HeaderLayout.LENGTH_MAX - 2 - 2 - 1 - 2;
        final Headers longest = Headers.of("h", "x".repeat(room));
        assertThat(longest.length()).isEqualTo(HeaderLayout.LENGTH_MAX);
        assertThat(check(bytesOf(longest))).isNull();
        assertThatThrownBy(() -> Headers.of("h", "x".repeat(room + 1))).hasMessageContaining("16385 bytes in all");
    }

    @Test
    void shouldRefuseBlocksThatAreNotWellFormed() {
        final UnsafeBuffer block = bytesOf(SOME);
        for (int length = 0; length < block.capacity(); length++) {
            assertThat(HeaderLayout.check(block, 0, length))
                    .as("cut at %d", length)
                    .isNotNull();
        }
        final UnsafeBuffer twice =
                bytesOf(Headers.builder().put("a", 1).put("b", 2).build());
        twice.putByte(twice.capacity() - Long.BYTES - 1, (byte) 'a');
        assertThat(check(twice)).isEqualTo("header: twice: a (give each name once)");
        final UnsafeBuffer text = bytesOf(Headers.of("a", "bc"));
        text.putByte(text.capacity() - 1, (byte) 0xFF);
        assertThat(check(text)).contains("not UTF-8: a");
        text.putByte(text.capacity() - 1, (byte) 0);
        assertThat(check(text)).isEqualTo("header: has a zero byte: a (send it as bytes, not as a text)");
        assertThat(HeaderLayout.check(new UnsafeBuffer(new byte[1 << 15]), 0, 1 << 15))
                .contains("too many bytes");
    }

    @Test
    void shouldRefuseTextsThatNotEveryClientCouldBeGiven() {
        final HeadersBuilder builder = Headers.builder();
        assertThatThrownBy(() -> builder.put("a", "b\0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("header: a: has the character U+0000 at 1 (give it as bytes)");
        for (final String half : List.of("\ud83d", "\ude00", "\ud83d\ud83d\ude00")) {
            assertThatThrownBy(() -> builder.put("a", half))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("half of a surrogate pair at 0");
        }
        builder.put("a", "\ud83d\ude00");
        assertThat(check(bytesOf(builder.build()))).isNull();
    }

    /** A reader of a block that was found to be good never reads outside of it, whatever is in it. */
    @Test
    void shouldReadOrRefuseAnyBytes() {
        final Random random = new Random(20261125);
        int goodCount = 0;
        for (int round = 0; round < 200_000; round++) {
            final UnsafeBuffer block = bytesOf(SOME);
            for (int i = random.nextInt(4); i >= 0; i--) {
                block.putByte(random.nextInt(block.capacity()), (byte) random.nextInt());
            }
            if (check(block) == null) {
                final Map<String, Object> seen = new LinkedHashMap<>();
                new Headers()
                        .wrap(block, 0, block.capacity())
                        .forEach((name, value) ->
                                assertThat(seen.put(name, value)).isNull());
                seen.keySet()
                        .forEach(
                                name -> assertThat(HeaderLayout.checkName(name)).isNull());
                goodCount++;
            }
        }
        assertThat(goodCount).isPositive();
    }

    private static UnsafeBuffer bytesOf(final Headers headers) {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[headers.length()]);
        headers.write(bytes, 0);
        return bytes;
    }

    private static @Nullable String check(final UnsafeBuffer block) {
        return HeaderLayout.check(block, 0, block.capacity());
    }
}
