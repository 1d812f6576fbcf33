package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import io.penstock.format.MessageEditor;
import io.penstock.format.json.JsonFormat;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SortKeyTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final int COUNT = 10_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Values in ascending order, those of a group equal. */
    private static final List<List<String>> ASCENDING = List.of(
            List.of("false", "[false, true]"),
            List.of("true"),
            List.of("-1e400", "-1e500"),
            List.of("-1e300"),
            List.of("-9223372036854775809e1"),
            List.of("-9223372036854775808", "-9223372036854775808.0"),
            List.of("-9223372036854775807"),
            List.of("-9007199254740993"),
            List.of("-9007199254740992", "-9007199254740992.0", "-9007199254740992e0"),
            List.of("-1.5"),
            List.of("-1", "-1.0"),
            List.of("-4.9e-324"),
            List.of("0", "-0", "0.0", "-0.0", "[0, 5]", "[-0.0]"),
            List.of("4.9e-324"),
            List.of("0.5", "5e-1"),
            List.of("1", "1.0", "[1]"),
            List.of("2"),
            List.of("10"),
            List.of("9007199254740992", "9007199254740992.0"),
            List.of("9007199254740993"),
            List.of("9007199254740994", "9007199254740994.0"),
            List.of("9223372036854774784", "9223372036854774784.0"),
            List.of("9223372036854774785"),
            List.of("9223372036854775806"),
            List.of("9223372036854775807"),
            List.of("9223372036854775808", "9223372036854775808.0"),
            List.of("1e300"),
            List.of("1e400"),
            List.of("\"\"", "[\"\"]"),
            List.of("\"\\u0000\""),
            List.of("\"\\u0000\\u0000\""),
            List.of("\"\\u0000a\""),
            List.of("\"\\u0001\""),
            List.of("\"1\""),
            List.of("\"A\""),
            List.of("\"a\"", "\"\\u0061\""),
            List.of("\"a\\u0000\""),
            List.of("\"ab\""),
            List.of("\"b\""),
            List.of("\"é\"", "\"\\u00e9\""),
            List.of("\"\uffff\""),
            List.of("\"\ud83d\ude00\"", "\"\\ud83d\\ude00\""),
            List.of("null", "{}", "[]", "[[1]]", "[{}]", "[null]", "{\"a\":1}"));

    private static byte[] key(final OrderBy order, final String message) {
        final FieldReader reader = new JsonFormat().newReader(order.fields());
        final UnsafeBuffer buffer = new UnsafeBuffer(message.getBytes(StandardCharsets.UTF_8));
        reader.wrap(buffer, 0, buffer.capacity());
        final UnsafeBuffer to = new UnsafeBuffer(new byte[256]);
        final int length = order.newWriter().write(reader, to, 3, 200);
        assertThat(length).isPositive();
        assertThat(order.newWriter().write(reader, to, 3, length)).isEqualTo(length);
        for (int shorter = 0; shorter < length; shorter++) {
            to.putByte(3 + shorter, (byte) 7);
            assertThat(order.newWriter().write(reader, to, 3, shorter)).isEqualTo(MessageEditor.TOO_LONG);
            assertThat(to.getByte(3 + shorter)).isEqualTo((byte) 7);
        }
        order.newWriter().write(reader, to, 3, length);
        final byte[] key = new byte[length];
        to.getBytes(3, key);
        return key;
    }

    private static int compare(final String orderText, final String message, final String other) {
        final OrderBy order = OrderBy.parse(orderText);
        return Integer.signum(Arrays.compareUnsigned(key(order, message), key(order, other)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v", "v DESC", "v NULLS FIRST", "v DESC NULLS LAST"})
    void shouldOrderValuesOfAllTypes(final String orderText) {
        final OrderBy order = OrderBy.parse(orderText);
        final boolean isDescending = orderText.contains("DESC");
        final boolean areNullsLast = orderText.equals("v") || orderText.endsWith("LAST");
        final List<byte[]> keys = new ArrayList<>();
        for (final List<String> equals : ASCENDING) {
            final byte[] key = key(order, "{\"v\":" + equals.get(0) + "}");
            for (final String equal : equals) {
                assertThat(key(order, "{\"v\":" + equal + "}")).as(equal).isEqualTo(key);
            }
            keys.add(key);
        }
        final int last = keys.size() - 1;
        assertThat(key(order, "{}")).isEqualTo(keys.get(last));
        for (int i = 0; i < last; i++) {
            final String name = ASCENDING.get(i).get(0);
            assertThat(Arrays.compareUnsigned(keys.get(i), keys.get(last)) < 0)
                    .as("%s and null", name)
                    .isEqualTo(areNullsLast);
            if (i + 1 < last) {
                assertThat(Arrays.compareUnsigned(keys.get(i), keys.get(i + 1)) < 0)
                        .as("%s and the next", name)
                        .isEqualTo(!isDescending);
            }
        }
    }

    @Test
    void shouldOrderByTheNextFieldWhenTheFirstIsEqual() {
        assertThat(compare("a, b DESC", "{\"a\":1,\"b\":1}", "{\"a\":1.0,\"b\":2}"))
                .isEqualTo(1);
        assertThat(compare("a, b DESC", "{\"a\":1,\"b\":1}", "{\"a\":2,\"b\":2}"))
                .isEqualTo(-1);
        assertThat(compare("a DESC, b", "{\"a\":\"x\",\"b\":9}", "{\"a\":\"xy\",\"b\":1}"))
                .isEqualTo(1);
        assertThat(compare("/o/a, b", "{\"o\":{},\"b\":1}", "{\"b\":2}")).isEqualTo(-1);
        assertThat(compare("a, a DESC", "{\"a\":1}", "{\"a\":1}")).isZero();
    }

    @Test
    void shouldOrderAsASimpleComparatorDoes() {
        final Comparator<Object> values = SortKeyTest::compareValues;
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 2_000; i++) {
                final String a = value(random);
                final String b = value(random);
                final String c = value(random);
                final String d = value(random);
                final boolean isDescending = random.nextBoolean();
                final int first = compare(a, c, isDescending, values);
                final int expected = first != 0 ? first : compare(b, d, false, values);
                final String left = "{\"a\":" + a + ",\"b\":" + b + "}";
                final String right = "{\"a\":" + c + ",\"b\":" + d + "}";
                assertThat(compare(isDescending ? "a DESC, b" : "a, b", left, right))
                        .as("seed %d: %s and %s, descending %s", seed, left, right, isDescending)
                        .isEqualTo(expected);
            }
        }
    }

    private static int compare(
            final String a, final String b, final boolean isDescending, final Comparator<Object> values) {
        final int order = values.compare(parsed(a), parsed(b));
        return Integer.signum(isDescending ? -order : order);
    }

    private static String value(final SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> String.valueOf(random.nextInt(-3, 4));
            case 1 -> String.valueOf(random.nextInt(-3, 4) / 2.0);
            case 2 -> String.valueOf(random.nextLong() >> random.nextInt(12));
            case 3 -> String.valueOf((double) (random.nextLong() >> random.nextInt(12)));
            case 4 -> {
                final StringBuilder text = new StringBuilder("\"");
                for (int left = random.nextInt(4); left > 0; left--) {
                    text.append(new String[] {"a", "b", "\\u0000", "é", "\uff5e", "\ud83d\ude00"}[random.nextInt(6)]);
                }
                yield text.append('"').toString();
            }
            default -> new String[] {"true", "false", "null"}[random.nextInt(3)];
        };
    }

    /** A boolean, an exact number, the code points of a text, or for null the type. */
    private static Object parsed(final String value) {
        if (value.startsWith("\"")) {
            return value.substring(1, value.length() - 1)
                    .replace("\\u0000", "\u0000")
                    .codePoints()
                    .toArray();
        }
        if (value.equals("null")) {
            return FieldType.NULL;
        }
        if (value.equals("true") || value.equals("false")) {
            return Boolean.valueOf(value);
        }
        return value.contains(".") ? new BigDecimal(Double.parseDouble(value)) : new BigDecimal(value);
    }

    private static int compareValues(final Object a, final Object b) {
        final int ranks = Integer.compare(rank(a), rank(b));
        if (ranks != 0 || a instanceof FieldType) {
            return ranks;
        }
        if (a instanceof Boolean bool) {
            return bool.compareTo((Boolean) b);
        }
        return a instanceof BigDecimal number ? number.compareTo((BigDecimal) b) : Arrays.compare((int[]) a, (int[]) b);
    }

    private static int rank(final Object value) {
        if (value instanceof FieldType) {
            return 3;
        }
        return value instanceof Boolean ? 0 : value instanceof BigDecimal ? 1 : 2;
    }

    @Test
    void shouldAllocateNothing() {
        final OrderBy order = OrderBy.parse("a DESC, b, c NULLS FIRST, d");
        final FieldReader reader = new JsonFormat().newReader(order.fields());
        final SortKeyWriter writer = order.newWriter();
        final UnsafeBuffer message = new UnsafeBuffer(
                "{\"a\":1,\"b\":2.5,\"c\":[\"x\\u0061\"],\"d\":true}".getBytes(StandardCharsets.UTF_8));
        final UnsafeBuffer to = new UnsafeBuffer(new byte[64]);
        write(writer, reader, message, to);
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        write(writer, reader, message, to);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(COUNT / 5);
    }

    private static void write(
            final SortKeyWriter writer, final FieldReader reader, final UnsafeBuffer message, final UnsafeBuffer to) {
        for (int i = 0; i < COUNT; i++) {
            reader.wrap(message, 0, message.capacity());
            writer.write(reader, to, 0, to.capacity());
        }
    }
}
