package io.penstock.format.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.format.FieldPathParser;
import io.penstock.format.FieldSet;
import io.penstock.format.UniqueFields;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonUniqueFieldsTest {
    private static final List<String> NAMES = List.of("a", "b", "\\u0061", "c");

    private static boolean areUnique(final String message, final String... paths) {
        final FieldSet fields = new FieldSet();
        for (final String path : paths) {
            fields.slotOf(new FieldPathParser("field", path).path());
        }
        final byte[] bytes = message.getBytes(UTF_8);
        final UniqueFields unique = new JsonFormat().newUniqueFields(fields);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[bytes.length + 8]);
        buffer.putBytes(3, bytes);
        // The second look does not remember the first.
        return unique.areUnique(buffer, 3, bytes.length) && unique.areUnique(buffer, 3, bytes.length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = """
            {"a":1,"b":2}                      | a      | true
            {"a":1,"a":2}                      | a      | false
            {"a":1,"a":1}                      | a      | false
            {"b":1,"b":2}                      | a      | true
            {"a":1,"\\u0061":2}                | a      | false
            {"\\u0061":1,"a":2}                | a      | false
            { "a" : 1 , "b" : [1] , "a" : 2 }  | a      | false
            {"a":{"b":1},"a":{"b":2}}          | /a/b   | false
            {"a":{"b":1,"b":2}}                | /a/b   | false
            {"a":{"c":1,"c":2}}                | /a/b   | true
            {"x":{"a":1,"a":2}}                | a      | true
            {"a":[1,2,2]}                      | a      | true
            {"a":[{"b":1},{"b":2}]}            | /a[1]/b | true
            {"a":[{"b":1},{"b":2,"b":3}]}      | /a[1]/b | false
            {"a":[{"b":1,"b":1},{"b":2}]}      | /a[1]/b | true
            {"a":{"a":1}}                      | a      | true
            {}                                 | a      | true
            []                                 | a      | true
            [{"a":1,"a":2}]                    | a      | true
            "a"                                | a      | true
            7                                  | a      | true
            {"b":"{\\"a\\":1}","a":"\\"a\\":"} | a      | true
            """)
    void shouldFindWhatStandsTwice(final String message, final String path, final boolean isUnique) {
        assertThat(areUnique(message, path)).isEqualTo(isUnique);
    }

    @Test
    void shouldAgreeWithANaiveReaderWhenMessagesAreRandom() throws IOException {
        final Random random = new Random(20261126);
        int twice = 0;
        for (int i = 0; i < 20_000; i++) {
            final StringBuilder message = new StringBuilder();
            appendValue(random, message, 0);
            final boolean isTwice = isTwice(message.toString(), Set.of("/a", "/b", "/b/a", "/b/c"));
            twice += isTwice ? 1 : 0;
            assertThat(areUnique(message.toString(), "/a", "/b/a", "/b/c"))
                    .as(message.toString())
                    .isEqualTo(!isTwice);
        }
        assertThat(twice).isBetween(2_000, 18_000);
    }

    private static void appendValue(final Random random, final StringBuilder message, final int depth) {
        final int kind = depth == 0 ? 0 : random.nextInt(5);
        if (kind < 2 && depth < 3) {
            message.append('{');
            for (int i = random.nextInt(4); i > 0; i--) {
                message.append(" \"").append(NAMES.get(random.nextInt(NAMES.size()))).append("\" : ");
                appendValue(random, message, depth + 1);
                message.append(i > 1 ? "," : " ");
            }
            message.append('}');
        } else if (kind == 2 && depth < 3) {
            message.append('[');
            for (int i = random.nextInt(3); i > 0; i--) {
                appendValue(random, message, depth + 1);
                message.append(i > 1 ? "," : "");
            }
            message.append(']');
        } else {
            message.append(random.nextBoolean() ? "\"{\\\"a\\\":\"" : "-1.5e3");
        }
    }

    /** Whether a member of one of some paths, none of them in arrays, stands twice in its object. */
    private static boolean isTwice(final String message, final Set<String> paths) throws IOException {
        final Deque<String> places = new ArrayDeque<>();
        final Deque<Set<String>> objects = new ArrayDeque<>();
        String name = "";
        try (JsonParser parser = new JsonFactory().createParser(message)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case START_OBJECT, START_ARRAY -> {
                        final String place = places.isEmpty() ? "" : places.peek() + name;
                        places.push(token == JsonToken.START_ARRAY ? place + "/[]" : place);
                        objects.push(new HashSet<>());
                        name = "";
                    }
                    case END_OBJECT, END_ARRAY -> {
                        places.pop();
                        objects.pop();
                        name = "";
                    }
                    case FIELD_NAME -> {
                        name = "/" + parser.currentName();
                        if (!objects.peek().add(name) && paths.contains(places.peek() + name)) {
                            return true;
                        }
                    }
                    default -> {}
                }
            }
        }
        return false;
    }
}
