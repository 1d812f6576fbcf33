package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Any texts are a select list or are refused, and any list runs over any bytes. Fuzzes with {@code JAZZER_FUZZ=1};
 * without it, texts put together from pieces of the language stand in.
 */
class SelectFuzzTest {
    private static final String[] PIECES = {
        "a",
        "b",
        "/a/b",
        "\"c d\"",
        "a[0]",
        "1",
        "1.5",
        "'x'",
        "(",
        ")",
        ",",
        ",",
        ",",
        " AS ",
        "as",
        "*",
        "COUNT(*)",
        "COUNT(",
        "DISTINCT ",
        "SUM(",
        "AVG(a)",
        "MIN(",
        "MAX(b)",
        "MAX(a, b)",
        "+",
        "/",
        "-",
        "||",
        "IF(",
        "UPPER(",
        "=",
        "NOT ",
        "AND",
        "\"",
        "ü",
        "\u0000",
        "\ud800",
        " "
    };
    private static final String MESSAGE = "{\"a\":[\"x\",1,null],\"b\":2.5,\"c d\":{\"e\":1}}";

    @FuzzTest(maxDuration = "60s")
    void shouldParseOrRefuseWhenTextsAreAnything(final FuzzedDataProvider data) {
        run(data.consumeString(2048), data.consumeString(512), data.consumeRemainingAsBytes());
    }

    @Test
    void shouldParseOrRefuseWhenTextsAreMadeOfPieces() {
        final Random random = new Random(8);
        int parsedCount = 0;
        for (int i = 0; i < 30_000; i++) {
            final byte[] message = MESSAGE.getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(3) == 0) {
                message[random.nextInt(message.length)] = (byte) random.nextInt();
            }
            parsedCount += run(pieces(random, 8), pieces(random, random.nextInt(4)), message) ? 1 : 0;
        }
        assertThat(parsedCount).isGreaterThan(300);
    }

    private static String pieces(final Random random, final int countMax) {
        final StringBuilder text = new StringBuilder();
        for (int i = countMax == 0 ? 0 : random.nextInt(countMax); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static boolean run(final String select, final String groupBy, final byte[] message) {
        final SelectList list;
        try {
            list = SelectList.parse(select, groupBy, FilterLimits.DEFAULTS);
        } catch (final FilterException e) {
            assertThat(e.getMessage()).matches("(?s)(select|group by): .*");
            assertThat(e.position()).isPositive();
            return false;
        }
        assertThat(new HashSet<>(list.names())).hasSameSizeAs(list.names());
        final UnsafeBuffer bytes = new UnsafeBuffer(message);
        final UnsafeBuffer to = new UnsafeBuffer(new byte[4096]);
        if (!list.isAggregate()) {
            final int length = new Projection(list, Rows.JSON).project(bytes, 0, message.length, to, 0, to.capacity());
            assertThat(length).isBetween(Projection.TOO_LONG, to.capacity());
            return true;
        }
        final Aggregation aggregation = new Aggregation(list, Rows.JSON, 2);
        assertThat(aggregation.add(bytes, 0, message.length)).isTrue();
        aggregation.forEach((key, offset, length, count, row) -> row.write(to, 0, to.capacity()));
        aggregation.remove(bytes, 0, message.length);
        aggregation.drainChanged(
                (key, offset, length, count, row) -> assertThat(count).isZero());
        return true;
    }
}
