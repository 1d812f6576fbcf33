package io.penstock.format.json;

import static io.penstock.format.json.FieldTexts.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonFieldReaderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1}|LONG 1",
                "{\"a\":-9223372036854775808}|LONG -9223372036854775808",
                "{\"a\":9223372036854775807}|LONG 9223372036854775807",
                "{\"a\":9223372036854775808}|DOUBLE 9.223372036854776E18",
                "{\"a\":-9223372036854775809}|DOUBLE -9.223372036854776E18",
                "{\"a\":18446744073709551616}|DOUBLE 1.8446744073709552E19",
                "{\"a\":100000000000000000000}|DOUBLE 1.0E20",
                "{\"a\":-0}|LONG 0",
                "{\"a\":-0.0}|DOUBLE -0.0",
                "{\"a\":1.0}|DOUBLE 1.0",
                "{\"a\":1e2}|DOUBLE 100.0",
                "{\"a\":335.84}|DOUBLE 335.84",
                "{\"a\":0.30000000000000004}|DOUBLE 0.30000000000000004",
                "{\"a\":1e999}|DOUBLE Infinity",
                "{\"a\":-1e99999999999999999999}|DOUBLE -Infinity",
                "{\"a\":1e-999}|DOUBLE 0.0",
                "{\"a\":5e-324}|DOUBLE 4.9E-324",
                "{\"a\":true}|BOOLEAN true",
                "{\"a\":false}|BOOLEAN false",
                "{\"a\":null}|NULL",
                "{}|ABSENT",
                "{\"b\":1}|ABSENT",
                "{\"b\":{\"a\":1}}|ABSENT",
                "[{\"a\":1}]|ABSENT",
                "1|ABSENT",
                "\"a\"|ABSENT",
                "{\"a\":{}}|OBJECT",
                "{\"a\":\"\"}|STRING <>",
                "{\"a\":\"é😀\"}|STRING <é😀>",
                "{\"a\":\"\\u00e9\\ud83d\\uDE00\"}|STRING <é😀>",
                "{\"a\":\"x\\\"\\\\\\/\\b\\f\\n\\r\\t\"}|STRING <x\"\\/{8}{c}{a}{d}{9}>",
                "{\"a\":\"\\u0000\\u007f\\u0080\\u07ff\\u0800\\uffff\"}|STRING <{0}\u007f\u0080\u07ff\u0800\uffff>",
                "{\"a\":\"1\\ud800\"}|STRING <1\ufffd>",
                "{\"a\":\"\\udc00\\ud800x\"}|STRING <\ufffd\ufffdx>",
                "{\"a\":\"\\ud800\\ud83d\\ude00\"}|STRING <\ufffd😀>",
                "{\"a\":1,\"a\":2}|LONG 1",
                "{\"a\":null,\"a\":2}|NULL",
                "{\"\\u0061\":1}|LONG 1",
                "{\"\\\"a\":0,\"\\u0061\":1}|LONG 1",
                "{\"b\":\"}\\\"\",\"c\":[\"]\",{\"a\":0}],\"a\":1}|LONG 1",
                "{ \"b\" : [ ] , \"a\" : 1 }|LONG 1",
                "{\"a\":[]}|ARRAY []",
                "{\"a\":[1]}|ARRAY [LONG 1]",
                "{\"a\":[1,\"x\",[2,3],{\"a\":4},null,true]}|ARRAY [LONG 1, STRING <x>, OBJECT, OBJECT, NULL, BOOLEAN true]",
                "{\"a\" : [ 1.5 , \"\\n]\" ] }|ARRAY [DOUBLE 1.5, STRING <{a}]>]"
            })
    void shouldReadValue(final String message, final String value) {
        assertThat(read(reader("a"), 1, message)).containsExactly(value);
    }

    @Test
    void shouldFindTheFieldsThatPathsNameWhenNested() {
        final FieldReader reader = reader("a/b", "a", "a/b/c", "x[1]", "x", "x[1]/y", "x[0]", "é");
        assertThat(read(reader, 8, "{\"a\":{\"b\":{\"c\":1}},\"x\":[2,{\"y\":3},4],\"é\":5}"))
                .containsExactly(
                        "OBJECT",
                        "OBJECT",
                        "LONG 1",
                        "OBJECT",
                        "ARRAY [LONG 2, OBJECT, LONG 4]",
                        "LONG 3",
                        "LONG 2",
                        "LONG 5");
        assertThat(read(reader, 8, "{\"a\":[{\"b\":1}],\"x\":{\"y\":3}}"))
                .containsExactly(
                        "ABSENT", "ARRAY [OBJECT]", "ABSENT", "ABSENT", "OBJECT", "ABSENT", "ABSENT", "ABSENT");
        assertThat(read(reader, 8, "{\"x\":[[1],[2]],\"a\":{\"b\":7}}"))
                .containsExactly(
                        "LONG 7", "OBJECT", "ABSENT", "OBJECT", "ARRAY [OBJECT, OBJECT]", "ABSENT", "OBJECT", "ABSENT");
    }

    @Test
    void shouldTakeTheFirstMemberWhenAnObjectIsThereTwice() {
        assertThat(read(reader("a/x", "a/y", "a"), 3, "{\"a\":{\"x\":1},\"a\":{\"x\":2,\"y\":3}}"))
                .containsExactly("LONG 1", "ABSENT", "OBJECT");
    }

    @Test
    void shouldDistinguishNamesWhenTheyStartAlike() {
        final String stem = "abcdefgh".repeat(3);
        final FieldReader reader = reader("abcdefg", "abcdefgh", "abcdefghi", stem, stem + "x", stem + "y", "");
        final String message =
                "{\"abcdefgh\":1,\"" + stem + "y\":2,\"" + stem + "\":3,\"abcdefghj\":4,\"\":5,\"" + stem + "xx\":6}";
        assertThat(read(reader, 7, message))
                .containsExactly("ABSENT", "LONG 1", "ABSENT", "LONG 3", "ABSENT", "LONG 2", "LONG 5");
    }

    @Test
    void shouldReadInAnyOrder() {
        final FieldReader reader = reader("a", "b", "c");
        wrap(reader, "{\"a\":1,\"b\":[1,2],\"c\":\"x\\ty\"}");
        assertThat(value(reader, 2)).isEqualTo("STRING <x{9}y>");
        assertThat(value(reader, 0)).isEqualTo("LONG 1");
        assertThat(value(reader, 1)).isEqualTo("ARRAY [LONG 1, LONG 2]");
        assertThat(value(reader, 2)).isEqualTo("STRING <x{9}y>");
    }

    @Test
    void shouldKeepDecodedTextWhenOtherSlotsAreRead() {
        final FieldReader reader = reader("a", "b");
        wrap(reader, "{\"a\":\"1\\n\",\"b\":[\"2\\n\",\"3\\n\"]}");
        assertThat(reader.type(0)).isEqualTo(FieldType.STRING);
        final var textBuffer = reader.stringBuffer(0);
        final int textOffset = reader.stringOffset(0);
        value(reader, 1);
        assertThat(textBuffer.getStringWithoutLengthUtf8(textOffset, reader.stringLength(0)))
                .isEqualTo("1\n");
    }

    @Test
    void shouldSelectElementsInAnyOrder() {
        final FieldReader reader = reader("a");
        wrap(reader, "{\"a\":[10,\"x\",[],12]}");
        reader.element(0, 3);
        assertThat(reader.longValue(0)).isEqualTo(12);
        reader.element(0, 1);
        assertThat(reader.type(0)).isEqualTo(FieldType.STRING);
        reader.element(0, 4);
        assertThat(reader.type(0)).isEqualTo(FieldType.ABSENT);
        reader.element(0, 0);
        assertThat(reader.longValue(0)).isEqualTo(10);
        reader.element(0, -1);
        assertThat(reader.type(0)).isEqualTo(FieldType.ARRAY);
        assertThat(reader.elementCount(0)).isEqualTo(4);
    }

    @Test
    void shouldHaveNoElementsWhenNotAnArray() {
        final FieldReader reader = reader("a", "b");
        wrap(reader, "{\"a\":1}");
        assertThat(reader.elementCount(0)).isZero();
        assertThat(reader.elementCount(1)).isZero();
        reader.element(0, 0);
        assertThat(reader.type(0)).isEqualTo(FieldType.ABSENT);
    }

    @Test
    void shouldGiveTheDoubleOfALong() {
        final FieldReader reader = reader("a");
        wrap(reader, "{\"a\":-7}");
        assertThat(reader.doubleValue(0)).isEqualTo(-7.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"x\":0,\"a\":\"A\",\"b\":{\"x\":1,\"c\":3}}|STRING <A>, LONG 3, ABSENT",
                "{\"x\":0,\"a\":  \"A\" , \"b\": {\"x\":1,\"c\":  3}}|STRING <A>, LONG 3, ABSENT",
                "{\"x\":0,\"a\":[1],\"b\":{\"x\":1,\"c\":3}}|ARRAY [LONG 1], LONG 3, ABSENT",
                "{\"x\":0,\"a\":1,\"c\":{\"x\":1,\"c\":3}}|LONG 1, ABSENT, OBJECT",
                "{\"x\":0,\"a\":1,\"b\":2,\"c\":3}|LONG 1, ABSENT, LONG 3",
                "{\"x\":0,\"b\":{\"x\":1,\"a\":2,\"c\":3},\"c\":4}|ABSENT, LONG 3, LONG 4",
                "{\"b\":{\"x\":0,\"a\":1,\"c\":3},\"a\":2}|LONG 2, LONG 3, ABSENT",
                "{\"x\":0,\"a\":1,\"a\":2,\"b\":{\"x\":1,\"c\":3},\"b\":{\"x\":1,\"c\":4}}|LONG 1, LONG 3, ABSENT"
            })
    void shouldReadMembersAnewWhenTheyStoodInTheMessageBefore(final String message, final String values) {
        final FieldReader reader = reader("a", "b/c", "c");
        assertThat(read(reader, 3, "{\"x\":0,\"a\":1,\"b\":{\"x\":1,\"c\":2}}"))
                .containsExactly("LONG 1", "LONG 2", "ABSENT");
        assertThat(String.join(", ", read(reader, 3, message))).isEqualTo(values);
    }

    @Test
    void shouldReadMembersBehindThoseRemembered() {
        final StringBuilder message = new StringBuilder("{\"first\":0");
        for (int i = 0; i < 3 * KnownMember.COUNT_MAX; i++) {
            message.append(", \"aMemberWithANameThatIsRatherLong")
                    .append(i)
                    .append("\" : ")
                    .append(i);
        }
        final FieldReader reader =
                reader("last", "aMemberWithANameThatIsRatherLong300", "aMemberWithANameThatIsRatherLong7");
        for (int round = 0; round < 3; round++) {
            assertThat(read(reader, 3, message + ",\"last\":\"" + round + "\"}"))
                    .containsExactly("STRING <" + round + ">", "LONG 300", "LONG 7");
        }
    }

    private static FieldReader reader(final String... paths) {
        return new JsonFormat().newReader(FieldTexts.fields(paths));
    }

    private static List<String> read(final FieldReader reader, final int count, final String message) {
        wrap(reader, message);
        final List<String> values = new ArrayList<>();
        for (int slot = 0; slot < count; slot++) {
            values.add(value(reader, slot));
        }
        return values;
    }

    private static void wrap(final FieldReader reader, final String message) {
        final byte[] utf8 = message.getBytes(UTF_8);
        final UnsafeBuffer buffer = new UnsafeBuffer(utf8);
        assertThat(new JsonFormat().newValidator().validate(buffer, 0, utf8.length))
                .isNull();
        reader.wrap(buffer, 0, utf8.length);
    }
}
