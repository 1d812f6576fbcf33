package io.penstock.standalone.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Message;
import io.penstock.client.MessageView;
import io.penstock.client.RecordKind;
import io.penstock.standalone.console.Rows;
import io.penstock.standalone.console.StandardOutput;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class MessageOutputTest {
    private static final MessageColumns ALL = new MessageColumns(true, true, true, true);
    private static final MessageColumns NONE = new MessageColumns(false, false, false, false);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void shouldEscapeControlCharactersWhenSomebodyLooks() {
        assertThat(line("\u001b[2Ja\u0007\tb\nc\rd\u009b1mü\u007f".getBytes(UTF_8), true))
                .isEqualTo("\\x1b[2Ja\\x07\tb c d\\x9b1mü\\x7f\n");
        assertThat(line(new byte[] {'a', (byte) 0x9b, '1', 'm'}, true)).isEqualTo("a\uFFFD1m\n");
    }

    @Test
    void shouldLeaveBytesAsTheyAreWhenAProgramReads() {
        final byte[] bytes = "\u001b[2Ja\u0007\t\u009b".getBytes(ISO_8859_1);
        line(bytes, false);
        assertThat(out.toByteArray()).startsWith(bytes).hasSize(bytes.length + 1);
    }

    @Test
    void shouldKeepWhatIsBesideAMessageApartFromItsFields() {
        final String json = "{\"@topic\":\"fake\",\"\\u0040key\":1,\"@@key\":2,\"@id\":{\"@key\":3},\"x\":4}";
        assertThat(row(json, ALL))
                .contains("\"@topic\":\"orders\"", "\"@key\":\"\"")
                .endsWith(",\"@@topic\":\"fake\",\"@@key\":1,\"@@@key\":2,\"@id\":{\"@key\":3},\"x\":4}");
        assertThat(row(json, NONE))
                .isEqualTo("{\"@@topic\":\"fake\",\"@@key\":1,\"@@@key\":2,\"@id\":{\"@key\":3},\"x\":4}");
        assertThat(row("{\"a\":1.50}", NONE)).isEqualTo("{\"a\":1.50}");
        assertThat(row("{}", NONE)).isEqualTo("{}");
        assertThat(row("5", NONE)).isEqualTo("{\"message\":\"5\"}");
    }

    private String line(final byte[] payload, final boolean isSeen) {
        out.reset();
        try (MessageLines lines = new MessageLines(NONE, new StandardOutput(out, false), isSeen)) {
            lines.write(message(payload));
        }
        return out.toString(UTF_8);
    }

    private static String row(final String json, final MessageColumns columns) {
        final List<String> rows = new ArrayList<>();
        new MessageRows(
                        new Rows() {
                            @Override
                            public void add(final String row) {
                                rows.add(row);
                            }

                            @Override
                            public void close() {}
                        },
                        false,
                        columns)
                .write(message(json.getBytes(UTF_8)));
        return rows.get(0);
    }

    private static Message message(final byte[] payload) {
        return new MessageView()
                .wrap(RecordKind.MESSAGE, "orders", 0, 7, 0, new UnsafeBuffer(payload), 0, payload.length, 0, 0, 0)
                .toMessage();
    }
}
