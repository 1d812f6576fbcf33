package io.penstock.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.format.json.JacksonOracle;
import io.penstock.format.json.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyReaderTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final String[] VALUES = {
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1",
        "1.0",
        "10e-1",
        "\"1\"",
        "2",
        "0.5",
        "5e-1",
        "true",
        "false",
        "\"true\"",
        "\"\"",
        "\"é\"",
        "\"\\u00e9\"",
        "\"e\"",
        "9007199254740993",
        "9007199254740992",
        "9.007199254740992e15",
        "9223372036854775807",
        "-9223372036854775808",
        "-9223372036854775808.0",
        "9223372036854775808",
        "1e300"
    };

    private static String key(final String message, final String fields) {
        final KeyReader reader = new KeyReader(new JsonFormat(), FieldSelection.parse(fields));
        final UnsafeBuffer buffer = new UnsafeBuffer(message.getBytes(StandardCharsets.UTF_8));
        final String mistake = reader.read(buffer, 0, buffer.capacity());
        if (mistake != null) {
            assertThat(reader.length()).isZero();
            return mistake;
        }
        final byte[] key = new byte[reader.length()];
        reader.buffer().getBytes(0, key);
        return new String(key, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    2                       | 2.0
                    2                       | 20e-1
                    0                       | -0.0
                    0.5                     | 5e-1
                    "é"                     | "\\u00e9"
                    "/"                     | "\\/"
                    -9223372036854775808    | -9223372036854775808.0
                    """)
    void shouldBeTheSameWhenValuesAreEqual(final String value, final String other) {
        assertThat(key("{\"a\":" + value + "}", "a")).isEqualTo(key("{ \"b\":1, \"\\u0061\" : " + other + "}", "a"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    1                       | "1"
                    1                       | true
                    0                       | false
                    true                    | "true"
                    9007199254740993        | 9007199254740992.0
                    9223372036854775807     | 9223372036854775808
                    ""                      | " "
                    """)
    void shouldDifferWhenValuesDo(final String value, final String other) {
        assertThat(key("{\"a\":" + value + "}", "a")).isNotEqualTo(key("{\"a\":" + other + "}", "a"));
    }

    @Test
    void shouldKeepFieldsApart() {
        final String message = "{\"a\":\"xy\",\"b\":\"z\"}";
        assertThat(key(message, "a, b")).isNotEqualTo(key("{\"a\":\"x\",\"b\":\"yz\"}", "a, b"));
        assertThat(key(message, "a, b")).isNotEqualTo(key(message, "a"));
        assertThat(key(message, "a, b")).isEqualTo(key("{\"b\":\"z\",\"a\":\"xy\"}", "b, a"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}              | id      | key: field /id is missing (send every key field)
                    [1]             | id      | key: field /id is missing (send every key field)
                    {"id":null}     | id      | key: field /id is null (send a text, a number, true or false)
                    {"id":[1]}      | id      | key: field /id is an array (send a text, a number, true or false)
                    {"id":{}}       | id      | key: field /id is an object (send a text, a number, true or false)
                    {"id":1e400}    | id      | key: field /id is a number too large for a key (send it as a text)
                    {"id":1}        | id, /a/"b c" | key: field /a/"b c" is missing (send every key field)
                    """)
    void shouldSayWhatIsWrongWhenRefused(final String message, final String fields, final String mistake) {
        assertThat(key(message, fields)).isEqualTo(mistake);
    }

    @Test
    void shouldRefuseAKeyThatIsTooLong() {
        final String longest = "x".repeat(KeyReader.KEY_LENGTH_MAX - 3);
        assertThat(key("{\"id\":\"" + longest + "\"}", "id")).hasSize(KeyReader.KEY_LENGTH_MAX);
        final String mistake = "key: field /id makes it longer than 1024 bytes (take shorter fields)";
        assertThat(key("{\"id\":\"" + longest + "x\"}", "id")).isEqualTo(mistake);
        for (final String number : List.of("true", "1", "1.5")) {
            assertThat(key("{\"a\":\"" + longest + "\",\"id\":" + number + "}", "a, id"))
                    .isEqualTo(mistake);
        }
    }

    @Test
    void shouldReadElementsAndFieldsWithin() {
        assertThat(key("{\"o\":{\"a\":[5,6]}}", "/o/a[1]")).isEqualTo(key("{\"o\":{\"a\":[0,6]}}", "/o/a[1]"));
        assertThat(key("{\"o\":{\"a\":[5,6]}}", "/o/a[1]")).isNotEqualTo(key("{\"o\":{\"a\":[5,7]}}", "/o/a[1]"));
    }

    @Test
    void shouldRefuseToBeOfNoFields() {
        assertThatThrownBy(() -> new KeyReader(new JsonFormat(), FieldSelection.NONE))
                .hasMessage("key: has no fields (name at least one)");
    }

    @Test
    void shouldBeEqualWhenTheValuesReadAreEqual() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            final Map<String, List<Object>> valuesByKey = new HashMap<>();
            final Map<List<Object>, String> keysByValues = new HashMap<>();
            for (int i = 0; i < 2_000; i++) {
                final String a = VALUES[random.nextInt(VALUES.length)];
                final String b = VALUES[random.nextInt(VALUES.length)];
                final String message = "{\"a\":" + a + ",\"b\":" + b + "}";
                final String key = key(message, "a, b");
                final List<Object> values = new ArrayList<>(List.of(canonical(a), canonical(b)));
                assertThat(valuesByKey.computeIfAbsent(key, k -> values))
                        .as("seed %d: %s", seed, message)
                        .isEqualTo(values);
                assertThat(keysByValues.computeIfAbsent(values, v -> key))
                        .as("seed %d: %s", seed, message)
                        .isEqualTo(key);
            }
        }
    }

    /** Numbers by value, as exact decimals; the rest as its tree is. */
    private static Object canonical(final String value) {
        final Object tree = JacksonOracle.tree(value.getBytes(StandardCharsets.UTF_8));
        if (tree instanceof Long number) {
            return java.math.BigDecimal.valueOf(number).stripTrailingZeros();
        }
        return tree instanceof Double number
                ? new java.math.BigDecimal(number).stripTrailingZeros()
                : String.valueOf(tree) + (tree instanceof String ? " text" : "");
    }
}
