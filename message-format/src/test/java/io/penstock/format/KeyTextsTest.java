package io.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.header.Headers;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTextsTest {
    private static final MessageFormat JSON = MessageFormats.formatFor("json");

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            id             ~ {"x":1,"id":7}                          ~ {"id":7}
            id             ~ {"id":7.0}                              ~ {"id":7}
            id             ~ {"id":70e-1}                            ~ {"id":7}
            id             ~ {"id":-0.5}                             ~ {"id":-0.5}
            id             ~ {"id":0.1e1}                            ~ {"id":1}
            id             ~ {"id":1e300}                            ~ {"id":1e300}
            id             ~ {"id":true}                             ~ {"id":true}
            id             ~ {"id":"a\\u0022\\u005c\\n\\u00e4/"}     ~ {"id":"a\\"\\\\\\u000aä/"}
            b, a           ~ {"b":1,"a":2}                           ~ {"a":2,"b":1}
            /o/id, /o/at, v ~ {"o":{"at":"x","id":1},"v":2}          ~ {"o":{"at":"x","id":1},"v":2}
            /o/p[2]        ~ {"o":{"p":[1,2,3]}}                     ~ {"o":{"p":[null,null,3]}}
            /l[0]/id       ~ {"l":[{"id":9}]}                        ~ {"l":[{"id":9}]}
            `"odd name"`   ~ {"odd name":1}                          ~ {"odd name":1}
            """)
    void shouldWriteTheKeyAsAMessageOfItsFields(final String key, final String message, final String text) {
        final FieldSelection fields = FieldSelection.parse(key);
        final String written = read(fields, message, Headers.NONE);
        assertThat(written).isEqualTo(text);
        // It names the same record.
        final KeyReader ofMessage = new KeyReader(JSON, fields);
        final KeyReader ofText = KeyReader.ofTexts(JSON, fields);
        assertThat(readKey(ofMessage, message)).isEqualTo(readKey(ofText, String.valueOf(written)));
        assertThat(read(fields, String.valueOf(written), Headers.NONE)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            id ~ {}
            id ~ {"id":[1]}
            id ~ {"id":{"a":1}}
            """)
    void shouldWriteNothingWithoutAKey(final String key, final String message) {
        assertThat(read(FieldSelection.parse(key), message, Headers.NONE)).isNull();
    }

    @Test
    void shouldWriteHeadersNullsAndNoFields() {
        final FieldSelection key = FieldSelection.parse("HEADER('region'), id");
        final String text = read(key, "{\"id\":1}", Headers.of("region", "EU"));
        assertThat(text).isEqualTo("{\"id\":1,\"HEADER('region')\":\"EU\"}");
        final KeyReader ofMessage = new KeyReader(JSON, key);
        final UnsafeBuffer block = new UnsafeBuffer(new byte[64]);
        ofMessage.headers(block, 0, Headers.of("region", "EU").write(block, 0));
        assertThat(readKey(ofMessage, "{\"id\":1}"))
                .isEqualTo(readKey(KeyReader.ofTexts(JSON, key), String.valueOf(text)));
        assertThat(read(key, "{\"id\":1}", Headers.NONE)).isNull();
        assertThat(read(FieldSelection.parse("a"), "{\"a\":null}", Headers.NONE))
                .isEqualTo("{\"a\":null}");
        assertThat(read(FieldSelection.NONE, "{\"a\":1}", Headers.NONE)).isEqualTo("{}");
        final KeyTexts binary = new KeyTexts(MessageFormats.formatFor("binary"), FieldSelection.parse("a"));
        assertThat(binary.read(new UnsafeBuffer(new byte[3]), 0, 3, 0)).isNull();
    }

    private static @Nullable String read(final FieldSelection key, final String message, final Headers headers) {
        final byte[] bytes = message.getBytes(UTF_8);
        final UnsafeBuffer content = new UnsafeBuffer(new byte[bytes.length + headers.length()]);
        content.putBytes(0, bytes);
        headers.write(content, bytes.length);
        return new KeyTexts(JSON, key).read(content, 0, bytes.length, headers.length());
    }

    private static byte[] readKey(final KeyReader reader, final String message) {
        final byte[] bytes = message.getBytes(UTF_8);
        assertThat(reader.read(new UnsafeBuffer(bytes), 0, bytes.length)).isNull();
        final byte[] key = new byte[reader.length()];
        reader.buffer().getBytes(0, key);
        return key;
    }
}
