package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.json.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Any text is compiled or refused, and any compiled text runs over any bytes. Fuzzes with {@code JAZZER_FUZZ=1}; without
 * it, texts put together from pieces of the language stand in.
 */
class FilterFuzzTest {
    private static final String[] PIECES = {
        "a",
        "b",
        "/a/b",
        "\"c d\"",
        "[/e f]",
        "a[0]",
        "1",
        "0x1F",
        "1.5e3",
        "'x'",
        "'%_'",
        "''",
        "(",
        ")",
        ",",
        " ",
        "AND",
        "OR",
        "NOT",
        "BETWEEN",
        "IN",
        "LIKE",
        "ESCAPE",
        "IS",
        "NULL",
        "TRUE",
        "FALSE",
        "=",
        "<>",
        "<",
        ">=",
        "+",
        "-",
        "||",
        "*",
        "/",
        "%",
        "LIKE_REGEX",
        "BEGINS",
        "WITH",
        "CONTAINS",
        "ABS",
        "UPPER",
        "COALESCE",
        "IF",
        "SUBSTR",
        "STRFTIME",
        "REPLACE",
        "'(a|b)*'",
        "'[a-z]+$'",
        "'%F'",
        "\u0000",
        "ü",
        "😀",
        "\ud800",
        "9223372036854775808",
        "."
    };

    @FuzzTest(maxDuration = "60s")
    void shouldCompileOrRefuseWhenTextIsAnything(final FuzzedDataProvider data) {
        final String text = data.consumeString(4096);
        run(text, data.consumeRemainingAsBytes());
    }

    @Test
    void shouldCompileOrRefuseWhenTextIsMadeOfPieces() {
        final Random random = new Random(5);
        int compiledCount = 0;
        for (int i = 0; i < 30_000; i++) {
            final StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(10); j >= 0; j--) {
                text.append(PIECES[random.nextInt(PIECES.length)]).append(random.nextBoolean() ? " " : "");
            }
            final byte[] message =
                    "{\"a\":[\"x\",1,null,{\"b\":2}],\"b\":\"\\u00fcx\"}".getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(3) == 0) {
                message[random.nextInt(message.length)] = (byte) random.nextInt();
            }
            compiledCount += run(text.toString(), message) ? 1 : 0;
        }
        assertThat(compiledCount).isGreaterThan(300);
    }

    private static boolean run(final String text, final byte[] message) {
        final Filter filter;
        final FieldSet fields = new FieldSet();
        try {
            filter = FilterCompiler.compile(text, fields, FilterLimits.DEFAULTS, () -> 0);
        } catch (final FilterException e) {
            assertThat(e.getMessage()).startsWith("filter: ");
            assertThat(e.position()).isPositive();
            return false;
        }
        final FieldReader reader = new JsonFormat().newReader(fields);
        reader.wrap(new UnsafeBuffer(message), 0, message.length);
        final boolean matches = filter.matches(reader);
        final Filter again = FilterCompiler.compile(filter.text(), fields, FilterLimits.DEFAULTS, () -> 0);
        assertThat(again.text()).isEqualTo(filter.text());
        reader.wrap(new UnsafeBuffer(message), 0, message.length);
        assertThat(again.matches(reader)).isEqualTo(matches);
        return true;
    }
}
