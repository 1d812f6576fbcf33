package io.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.header.Headers;
import io.penstock.format.header.HeadersBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Headers and fields in one set of slots, compared with a map. */
class RecordReaderTest {
    private static final String[] NAMES = {"a", "b", "c", "d"};
    private static final MessageFormat JSON = MessageFormats.formatFor("json");

    @Test
    void shouldBeTheFormatsOwnReaderWithoutHeaders() {
        final FieldSet fields = new FieldSet();
        fields.slotOf(FieldPath.of("a"));
        assertThat(RecordReader.of(JSON, fields)).isNotInstanceOf(RecordReader.class);
    }

    @Test
    @SuppressWarnings("ReferenceEquality")
    void shouldReadWhatAMapHas() {
        final Random random = new Random(20261125);
        final FieldSet fields = new FieldSet();
        for (final String name : NAMES) {
            fields.slotOf(FieldPath.ofHeader(name));
            fields.slotOf(FieldPath.of(name));
        }
        final FieldReader fixed = RecordReader.of(JSON, fields);
        final ValidatingReader validating = RecordReader.validating(JSON, fields, fields.count());
        final RecordReader growing = RecordReader.of(JSON.newReader());
        for (int slot = 0; slot < fields.count(); slot++) {
            growing.add(slot, fields.path(slot));
        }
        for (int round = 0; round < 20_000; round++) {
            final Map<String, Object> headers = new HashMap<>();
            final HeadersBuilder builder = Headers.builder();
            for (final String name : NAMES) {
                put(random, name, headers, builder);
            }
            final int number = random.nextInt(100);
            final UnsafeBuffer content = content("{\"b\":" + number + "}", builder.build());
            final int length = content.capacity() - builder.build().length();
            // A message whose headers nobody gave has none, whatever the one before had.
            final boolean isGiven = random.nextInt(4) > 0;
            for (final FieldReader reader : new FieldReader[] {fixed, growing, validating}) {
                if (isGiven) {
                    reader.headers(content, length, content.capacity() - length);
                }
                if (reader == validating) {
                    assertThat(validating.validate(content, 0, length)).isNull();
                    assertThat(validating.areUnique()).isTrue();
                } else {
                    reader.wrap(content, 0, length);
                }
                for (int slot = 0; slot < fields.count(); slot++) {
                    final FieldPath path = fields.path(slot);
                    final Object expected = path.isHeader()
                            ? isGiven ? headers.get(path.headerName()) : null
                            : path.equals(FieldPath.of("b")) ? (Object) (long) number : null;
                    assertThat(value(reader, slot)).as("%s", path).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void shouldReadOnWhenHeadersComeAndGo() {
        final RecordReader reader = RecordReader.of(JSON.newReader());
        final UnsafeBuffer content = content("{\"a\":1}", Headers.of("a", "x"));
        final int length = "{\"a\":1}".length();
        reader.add(0, FieldPath.of("a"));
        reader.add(1, FieldPath.ofHeader("a"));
        reader.headers(content, length, content.capacity() - length);
        reader.wrap(content, 0, length);
        assertThat(reader.presentCount()).isEqualTo(2);
        assertThat(reader.presentSlot(0) + reader.presentSlot(1)).isEqualTo(1);
        assertThat(value(reader, 0)).isEqualTo(1L);
        assertThat(value(reader, 1)).isEqualTo("x");
        reader.remove(1, FieldPath.ofHeader("a"));
        reader.add(1, FieldPath.of("b"));
        reader.headers(content, length, content.capacity() - length);
        reader.wrap(content, 0, length);
        assertThat(value(reader, 0)).isEqualTo(1L);
        assertThat(value(reader, 1)).isNull();
        assertThat(reader.presentCount()).isEqualTo(1);
        assertThat(reader.presentSlot(0)).isZero();
    }

    private static void put(
            final Random random, final String name, final Map<String, Object> headers, final HeadersBuilder builder) {
        switch (random.nextInt(4)) {
            case 0 -> {
                final String text = "t".repeat(random.nextInt(20));
                headers.put(name, text);
                builder.put(name, text);
            }
            case 1 -> {
                final long value = random.nextLong();
                headers.put(name, value);
                builder.put(name, value);
            }
            case 2 -> {
                headers.put(name, FieldType.OBJECT);
                builder.put(name, new byte[random.nextInt(20)]);
            }
            default -> {}
        }
    }

    private static UnsafeBuffer content(final String message, final Headers headers) {
        final byte[] bytes = message.getBytes(UTF_8);
        final UnsafeBuffer content = new UnsafeBuffer(new byte[bytes.length + headers.length()]);
        content.putBytes(0, bytes);
        headers.write(content, bytes.length);
        return content;
    }

    private static @Nullable Object value(final FieldReader reader, final int slot) {
        return switch (reader.type(slot)) {
            case ABSENT -> null;
            case LONG -> reader.longValue(slot);
            case UNTYPED ->
                reader.stringBuffer(slot)
                        .getStringWithoutLengthUtf8(reader.stringOffset(slot), reader.stringLength(slot));
            default -> reader.type(slot);
        };
    }
}
