package io.penstock.format.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldPathParser;
import io.penstock.format.MessageValidator;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonValidatorTest {
    private final MessageValidator validator = new JsonFormat().newValidator();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                " { } ",
                "\t[\r\n]\n",
                "null",
                "true",
                "false",
                "0",
                "-0",
                "-0.0e-0",
                "12345678901234567890",
                "1e400",
                "1E+2",
                "0.1e1",
                "\"\"",
                "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\"",
                "\"\\ud800\"",
                "\"\\udc00\\ud800\"",
                "\"\u007f\"",
                "\"é€😀\u07ff\u0800\ud7ff\ue000\uffff\udbff\udfff\"",
                "[1,2 , 3]",
                "[[],[[]],{}]",
                "{\"a\":1,\"a\":2}",
                "{\"\":\"\"}",
                "{\"\\ud83d\\ude00\\ufffd\\n\\ud83d\\ude00\":1}",
                " {\"a\" : [ {\"b\":null} , true ] } "
            })
    void shouldAcceptWhatRfc8259Allows(final String message) {
        assertThat(validate(message)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|expected a value at byte 0, where the message ends",
                "` `|expected a value at byte 1, where the message ends",
                "{|expected a name in double quotes at byte 1, where the message ends",
                "[|expected a value at byte 1, where the message ends",
                "}|expected a value at byte 0",
                "[1|expected ',' or ']' at byte 2, where the message ends",
                "[1}|expected ',' or ']' at byte 2",
                "[1 2]|expected ',' or ']' at byte 3",
                "[1,]|expected a value at byte 3",
                "[,1]|expected a value at byte 1",
                "{\"a\":1]|expected ',' or '}' at byte 6",
                "{\"a\":1 \"b\":2}|expected ',' or '}' at byte 7",
                "{\"a\":1,}|expected a name in double quotes at byte 7",
                "{\"a\":}|expected a value at byte 5",
                "{\"a\" 1}|expected ':' at byte 5",
                "{\"a\"}|expected ':' at byte 4",
                "{a:1}|expected a name in double quotes at byte 1",
                "{'a':1}|expected a name in double quotes at byte 1",
                "{1:1}|expected a name in double quotes at byte 1",
                "[1]]|expected nothing behind the value at byte 3",
                "{} {}|expected nothing behind the value at byte 3",
                "1 2|expected nothing behind the value at byte 2",
                "truefalse|expected nothing behind the value at byte 4",
                "tru|expected a value at byte 0",
                "True|expected a value at byte 0",
                "nul|expected a value at byte 0",
                "falsy|expected a value at byte 0",
                "NaN|expected a value at byte 0",
                "Infinity|expected a value at byte 0",
                "-Infinity|expected a digit at byte 1",
                "undefined|expected a value at byte 0",
                "/**/1|expected a value at byte 0",
                "01|expected nothing behind the value at byte 1",
                "-01|expected nothing behind the value at byte 2",
                "+1|expected a value at byte 0",
                ".5|expected a value at byte 0",
                "-.5|expected a digit at byte 1",
                "-|expected a digit at byte 1, where the message ends",
                "1.|expected a digit at byte 2, where the message ends",
                "1.e5|expected a digit at byte 2",
                "1e|expected a digit at byte 2, where the message ends",
                "1e+|expected a digit at byte 3, where the message ends",
                "1ee5|expected a digit at byte 2",
                "0x10|expected nothing behind the value at byte 1",
                "1_000|expected nothing behind the value at byte 1",
                "\"a|expected '\"' at byte 2, where the message ends",
                "\"a\\|expected one of \"\\/bfnrtu behind a backslash at byte 3, where the message ends",
                "\"a\\\"|expected '\"' at byte 4, where the message ends",
                "\"\\x\"|expected one of \"\\/bfnrtu behind a backslash at byte 2",
                "\"\\'\"|expected one of \"\\/bfnrtu behind a backslash at byte 2",
                "\"\\u12g4\"|expected a hexadecimal digit at byte 5",
                "\"\\u123|expected a hexadecimal digit at byte 6, where the message ends",
                "{\"a\\ud800\":1}|surrogate without its partner in a name at byte 3",
                "{\"\\n\\ude00\":1}|surrogate without its partner in a name at byte 4",
                "{\"\\ud800\\ud83d\\ude00\":1}|surrogate without its partner in a name at byte 2",
                "{\"a\":1,\"\\ud83d\\u0061\":1}|surrogate without its partner in a name at byte 8",
                "\"\\U1234\"|expected one of \"\\/bfnrtu behind a backslash at byte 2",
            })
    void shouldSayWhatIsWrongAndWhere(final String message, final String mistake) {
        assertThat(validate(message)).isEqualTo("json: " + mistake);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t", "\n", "\r", "\u0000", "\u001f", "\u0001"})
    void shouldRefuseControlCharacterWhenInString(final String control) {
        assertThat(validate("\"abcdefg" + control + "\""))
                .isEqualTo("json: control character in a string (escape it) at byte 8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u000b", "\u000c", "\u00a0", "\u2028", "\u0000", "\ufeff"})
    void shouldRefuseOtherWhiteSpace(final String space) {
        assertThat(validate("[" + space + "]")).isEqualTo("json: expected a value at byte 1");
    }

    @Test
    void shouldRefuseByteOrderMarkWhenFirst() {
        assertThat(validate("\ufeff{}")).isEqualTo("json: expected a value, not a byte order mark at byte 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0080", // A continuation byte without a lead.
                "\u00bf",
                "\u00c0\u0080", // Overlong forms of U+0000, '/', U+007F, U+07FF and U+FFFF.
                "\u00c0\u00af",
                "\u00c1\u00bf",
                "\u00e0\u0080\u00af",
                "\u00e0\u009f\u00bf",
                "\u00f0\u0080\u0080\u00af",
                "\u00f0\u008f\u00bf\u00bf",
                "\u00ed\u00a0\u0080", // Surrogates.
                "\u00ed\u00bf\u00bf",
                "\u00f4\u0090\u0080\u0080", // Above U+10FFFF.
                "\u00f5\u0080\u0080\u0080",
                "\u00f8\u0088\u0080\u0080\u0080",
                "\u00fe",
                "\u00ff",
                "\u00c3", // Cut off.
                "\u00c3(",
                "\u00e2\u0082",
                "\u00e2(\u00a1",
                "\u00f0\u009f\u0098",
                "\u00f0(\u008c\u00bc",
                "\u00f0\u0090(\u00bc",
                "\u00f0\u0090\u008c("
            })
    void shouldRefuseWhatIsNotStrictUtf8(final String latin1) {
        assertThat(validate(("\"abc" + latin1 + "\"").getBytes(ISO_8859_1))).isEqualTo("json: not UTF-8 at byte 4");
    }

    @Test
    void shouldAcceptNothingDeeperThanPathsGo() {
        assertThat(JsonFormat.DEPTH_MAX).isEqualTo(FieldPathParser.STEP_COUNT_MAX);
    }

    @Test
    void shouldRefuseNestingWhenDeeperThanTheLimit() {
        final int most = JsonFormat.DEPTH_MAX;
        assertThat(validate("[".repeat(most) + "]".repeat(most))).isNull();
        assertThat(validate("{\"a\":".repeat(most) + "1" + "}".repeat(most))).isNull();
        assertThat(validate("[".repeat(most + 1) + "]".repeat(most + 1)))
                .isEqualTo("json: nested deeper than 64 levels at byte 64");
        assertThat(validate("[".repeat(1_000_000))).isEqualTo("json: nested deeper than 64 levels at byte 64");
    }

    @Test
    void shouldRememberTheKindOfEachLevelWhenNestedToTheLimit() {
        final StringBuilder message = new StringBuilder();
        final StringBuilder ends = new StringBuilder();
        for (int level = 0; level < JsonFormat.DEPTH_MAX; level++) {
            final boolean isObject = Integer.bitCount(level) % 2 == 0;
            message.append(isObject ? "{\"a\":" : "[");
            ends.insert(0, isObject ? '}' : ']');
        }
        assertThat(validate(message + "1" + ends)).isNull();
        for (int i = 0; i < ends.length(); i++) {
            final StringBuilder wrong = new StringBuilder(ends);
            wrong.setCharAt(i, ends.charAt(i) == '}' ? ']' : '}');
            assertThat(validate(message + "1" + wrong))
                    .as("bracket %d", i)
                    .endsWith("at byte " + (message.length() + 1 + i));
        }
    }

    @Test
    void shouldRefuseNumberWhenLongerThanTheLimit() {
        final int most = JsonFormat.NUMBER_LENGTH_MAX;
        assertThat(validate("[-" + "1".repeat(most - 1) + "]")).isNull();
        assertThat(validate("[-" + "1".repeat(most) + "]")).isEqualTo("json: number longer than 512 bytes at byte 1");
        assertThat(validate("0." + "0".repeat(most))).isEqualTo("json: number longer than 512 bytes at byte 0");
    }

    @Test
    void shouldValidateAgainWhenTheMessageBeforeWasRefused() {
        assertThat(validate("[[[{\"a\":[}")).isNotNull();
        assertThat(validate("{\"a\":[]}")).isNull();
        assertThat(validate("]")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":2}|",
                "{\"a\":1,\"b\":  2}|",
                "{\"a\":1,\"b\":\"\"}|",
                "{\"a\":1,\"b\":[{\"a\":1,\"b\":2}]}|",
                "{\"a\":1,\"c\":2}|",
                "{\"a\":1,\"b\":2,\"b\":2}|",
                "{\"a\":1}|",
                "[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2}]|",
                "{,\"b\":2}|expected a name in double quotes at byte 1",
                "{\"a\":1\"b\":2}|expected ',' or '}' at byte 6",
                "{\"a\":1,\"b\"}|expected ':' at byte 10",
                "{\"a\":1,\"b\":}|expected a value at byte 11",
                "{\"a\":1,\"b\":,\"b\":2}|expected a value at byte 11",
                "{\"a\":1,\"b\":|expected a value at byte 11, where the message ends",
                "{\"a\":1,\"b|expected '\"' at byte 9, where the message ends",
                "{\"a\":1,|expected a name in double quotes at byte 7, where the message ends",
                "[1,\"b\":2]|expected ',' or ']' at byte 6",
                "1,\"b\":2|expected nothing behind the value at byte 1"
            })
    void shouldJudgeMembersAnewWhenTheyStoodInTheMessageBefore(final String message, final @Nullable String mistake) {
        assertThat(validate("{\"a\":1,\"b\":2}")).isNull();
        assertThat(validate(message)).isEqualTo(mistake == null ? null : "json: " + mistake);
    }

    @Test
    void shouldJudgeEachMessageByItselfWhenMembersAreManyOrLong() {
        final StringBuilder members = new StringBuilder("\"first\":0");
        for (int i = 0; i < 3 * KnownMember.COUNT_MAX; i++) {
            members.append(i % 2 == 0 ? ",\"m" : ", \"aMemberWithANameThatIsRatherLong")
                    .append(i)
                    .append("\" : ")
                    .append(i);
        }
        for (int round = 0; round < 3; round++) {
            assertThat(validate("{" + members + "}")).isNull();
            assertThat(validate("{" + members + ",}")).endsWith("double quotes at byte " + (members.length() + 2));
        }
    }

    private @Nullable String validate(final String message) {
        return validate(message.getBytes(UTF_8));
    }

    private @Nullable String validate(final byte[] message) {
        return validator.validate(new UnsafeBuffer(message), 0, message.length);
    }
}
