package io.penstock.format.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldPath.Step;
import io.penstock.format.FieldSelection;
import io.penstock.format.MessageEditor;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages without some of their fields, in comparison with a naive model. */
final class JsonCutTest {
    private static final String[] NAMES = {"a", "b", "c", "long name of many bytes", "é", "\"", "\\", "", "\uD83D\uDE00"};

    private final MessageEditor editor = new JsonFormat().newEditor();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        a         | {"a":1,"b":2}                    | {"b":2}
        a         | {"b":2,"a":1}                    | {"b":2}
        a         | {"a":1}                          | {}
        a         | {}                               | {}
        a         | {"b":1}                          | {"b":1}
        a, b      | {"a":1,"c":0,"b":2}              | {"c":0}
        # each member of a name, however it is written
        a         | {"a":1,"b":2,"a":{"x":3}}        | {"b":2}
        a         | {"\\u0061":1,"b":2}              | {"b":2}
        `"é"`     | {"\\u00E9":1,"b":2}              | {"b":2}
        /o/a      | {"o":{"a":1},"o":{"a":2,"b":3}}  | {"o":{},"o":{"b":3}}
        # names that only begin so, and texts
        a         | {"aa":1,"A":2,"b":"\\"a\\":1"}   | {"aa":1,"A":2,"b":"\\"a\\":1"}
        # within objects, and through arrays to any depth
        /o/a      | {"a":1,"o":{"a":2,"b":3}}        | {"a":1,"o":{"b":3}}
        /o/a      | {"o":[{"a":1},{"b":2,"a":3},4]}  | {"o":[{},{"b":2},4]}
        /o/a      | {"o":[[{"a":1}],[[{"a":2}]]]}    | {"o":[[{}],[[{}]]]}
        /o/a/b    | {"o":{"a":[{"b":1,"c":2}]}}      | {"o":{"a":[{"c":2}]}}
        /o/a      | {"o":7}                          | {"o":7}
        a         | [{"a":1,"b":2},{"a":3}]          | [{"b":2},{}]
        # an element stands for its array
        /o[1]     | {"o":[1,2,3],"b":1}              | {"b":1}
        /o[0]/a   | {"o":[{"a":1}],"b":1}            | {"b":1}
        # a path to an object cuts all of it
        o         | {"o":{"a":1,"b":2},"c":3}        | {"c":3}
        # no object
        a         | `"a"`                            | `"a"`
        a         | ` 1 `                            | 1
        # white space within what stays is its own
        a         | ` { "a" : [ 1 , 2 ] , "b" : { "a" : 1 } } ` | {"b" : { "a" : 1 }}
        """)
    void shouldLeaveOutFieldsWhereverTheyAre(final String cut, final String message, final String expected) {
        assertThat(cut(message, FieldSelection.parse(cut))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldLeaveWhatANaiveModelLeaves(final long seed) {
        final Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            final Value message = value(random, 4);
            final List<FieldPath> paths = new ArrayList<>();
            for (int j = random.nextInt(3); j >= 0; j--) {
                paths.add(path(random));
            }
            final String text = message.text(random);
            final List<List<String>> names = paths.stream()
                    .map(path -> path.steps().stream().map(Step::name).toList())
                    .toList();
            assertThat(withoutSpace(cut(text, FieldSelection.of(paths))))
                    .as("seed %d, message %d: %s without %s", seed, i, text, paths)
                    .isEqualTo(message.without(names).text(null));
        }
    }

    @Test
    void shouldSayWhenTheResultDoesNotFit() {
        final UnsafeBuffer message = new UnsafeBuffer("{\"a\":1,\"b\":2}".getBytes(UTF_8));
        final UnsafeBuffer to = new UnsafeBuffer(new byte[16]);
        assertThat(editor.cut(message, 0, 13, FieldSelection.parse("a"), to, 2, 6)).isEqualTo(MessageEditor.TOO_LONG);
        assertThat(editor.cut(message, 0, 13, FieldSelection.parse("a"), to, 2, 7)).isEqualTo(7);
        assertThat(to.getByte(1)).isZero();
        assertThat(to.getByte(9)).isZero();
    }

    @Test
    void shouldAllocateNothing() {
        final UnsafeBuffer message =
                new UnsafeBuffer("{\"\\u0061\":\"x\",\"o\":[{\"b\":1,\"c\":[1,2]}],\"d\":3,\"a\":8}".getBytes(UTF_8));
        final UnsafeBuffer to = new UnsafeBuffer(new byte[256]);
        final FieldSelection fields = FieldSelection.parse("a, /o/c");
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final int count = 20_000;
        long before = 0;
        for (int i = 0; i < 2 * count; i++) {
            before = i == count ? threads.getCurrentThreadAllocatedBytes() : before;
            editor.cut(message, 0, message.capacity(), fields, to, 0, to.capacity());
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(count / 5);
    }

    private String cut(final String message, final FieldSelection fields) {
        return new String(cut(message.getBytes(UTF_8), fields), UTF_8);
    }

    private byte[] cut(final byte[] message, final FieldSelection fields) {
        final UnsafeBuffer from = new UnsafeBuffer(new byte[message.length + 10]);
        from.setMemory(0, from.capacity(), (byte) '"');
        from.putBytes(5, message);
        final UnsafeBuffer to = new UnsafeBuffer(new byte[message.length + 3]);
        final int length = editor.cut(from, 5, message.length, fields, to, 3, message.length);
        assertThat(length).isBetween(0, message.length);
        final byte[] result = new byte[length];
        to.getBytes(3, result);
        return result;
    }

    /** Without the space between tokens. */
    private static String withoutSpace(final String text) {
        final StringBuilder result = new StringBuilder();
        boolean isInString = false;
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (isInString && c == '\\') {
                result.append(c).append(text.charAt(++i));
            } else if (isInString || c != ' ') {
                isInString ^= c == '"';
                result.append(c);
            }
        }
        return result.toString();
    }

    private static FieldPath path(final Random random) {
        final List<Step> steps = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            steps.add(new Step(NAMES[random.nextInt(NAMES.length)], Step.NO_INDEX));
        }
        return new FieldPath(steps);
    }

    private static Value value(final Random random, final int depth) {
        final int kind = depth == 0 ? 0 : random.nextInt(3);
        final List<Member> members = new ArrayList<>();
        for (int i = kind == 0 ? 0 : random.nextInt(5); i > 0; i--) {
            final String name = NAMES[random.nextInt(NAMES.length)];
            members.add(new Member(name, quoted(name, random), value(random, depth - 1)));
        }
        final String scalar = random.nextBoolean()
                ? quoted(NAMES[random.nextInt(NAMES.length)], random)
                : List.of("1", "-2.5e3", "true", "null").get(random.nextInt(4));
        return new Value(kind, scalar, members);
    }

    private static String quoted(final String text, final Random random) {
        final StringBuilder result = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (random.nextInt(4) == 0) {
                result.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
            } else if (c == '"' || c == '\\') {
                result.append('\\').append(c);
            } else if (Character.isSurrogate(c)) {
                // Half of a pair may not be an escape alone.
                result.append(String.format("\\u%04x", (int) c));
            } else {
                result.append(c);
            }
        }
        return result.append('"').toString();
    }

    private record Member(String name, String quoted, Value value) {}

    /** A scalar, an object or an array, as tests see it. */
    private record Value(int kind, String scalar, List<Member> members) {
        Value without(final List<List<String>> paths) {
            final List<Member> left = new ArrayList<>();
            for (final Member member : members) {
                if (kind == 2) {
                    left.add(new Member("", "", member.value.without(paths)));
                    continue;
                }
                final List<List<String>> inside = paths.stream()
                        .filter(path -> path.get(0).equals(member.name))
                        .map(path -> path.subList(1, path.size()))
                        .toList();
                if (inside.stream().noneMatch(List::isEmpty)) {
                    left.add(new Member(member.name, member.quoted, member.value.without(inside)));
                }
            }
            return new Value(kind, scalar, left);
        }

        String text(final @Nullable Random random) {
            if (kind == 0) {
                return scalar;
            }
            return members.stream()
                    .map(member -> space(random) + (kind == 1 ? member.quoted + space(random) + ':' + space(random) : "")
                            + member.value.text(random) + space(random))
                    .collect(Collectors.joining(",", kind == 1 ? "{" : "[", space(random) + (kind == 1 ? "}" : "]")));
        }

        private static String space(final @Nullable Random random) {
            return random == null ? "" : " ".repeat(Math.max(0, random.nextInt(5) - 3));
        }
    }
}
