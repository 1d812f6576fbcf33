package io.penstock.broker.query;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Aggregates computed from all messages each time, on plain Java values. */
final class AggregationModel {
    private static final String[] FIELDS = {"a", "b", "c", "k", "m"};
    private static final String[] TEXTS = {"", "a", "b", "ab", "ü", "x😀"};
    private static final long[] LONGS = {
        0, 1, 2, 3, -1, 100, Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53, (1L << 53) + 1
    };
    private static final double[] REALS = {
        0.0, -0.0, 0.1, 2.0, 2.5, -3.25, 1e300, 1e308, -1e308, 0x1p63, Double.MIN_VALUE, 1e18
    };
    private static final String[] FUNCTIONS = {"COUNT", "COUNT(DISTINCT", "SUM", "AVG", "MIN", "MAX"};

    private static final Map<String, Function<Map<String, @Nullable Object>, @Nullable Object>> ARGUMENTS = Map.of(
            "a", message -> scalar(message, "a"),
            "b", message -> scalar(message, "b"),
            "c", message -> scalar(message, "c"),
            "COALESCE(a, b)", message -> first(scalar(message, "a"), scalar(message, "b")),
            "a IS NULL", message -> message.get("a") == null,
            "LENGTH(c)",
                    message -> scalar(message, "c") instanceof String text
                            ? (Long) (long) text.codePointCount(0, text.length())
                            : null,
            "m + 1", message -> scalar(message, "m") instanceof Long number ? (Long) (number + 1) : null);

    private AggregationModel() {}

    /**
     * An item.
     *
     * @param text     as the select list has it.
     * @param function its name.
     * @param argument of a message, or null for COUNT(*).
     */
    record Item(
            String text,
            String function,
            @Nullable Function<Map<String, @Nullable Object>, @Nullable Object> argument) {}

    static List<String> randomGroups(final Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> List.of();
            case 1, 2 -> List.of("k");
            case 3 -> List.of("k", "m");
            default -> List.of("a");
        };
    }

    static List<Item> randomItems(final Random random) {
        final List<String> arguments =
                List.copyOf(ARGUMENTS.keySet()).stream().sorted().toList();
        final List<Item> items = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            final String function = FUNCTIONS[random.nextInt(FUNCTIONS.length)];
            String argument = arguments.get(random.nextInt(arguments.size()));
            if (argument.equals("a IS NULL") && (function.equals("SUM") || function.equals("AVG"))) {
                argument = "b";
            }
            items.add(
                    random.nextInt(8) == 0
                            ? new Item("COUNT(*)", "COUNT", null)
                            : new Item(
                                    function + (function.endsWith("DISTINCT") ? " " : "(") + argument + ")",
                                    function,
                                    ARGUMENTS.get(argument)));
        }
        return items;
    }

    static Map<String, @Nullable Object> randomMessage(final Random random) {
        final Map<String, @Nullable Object> message = new LinkedHashMap<>();
        for (final String field : FIELDS) {
            if (field.equals("m")) {
                message.put(field, (long) random.nextInt(3));
            } else if (random.nextInt(6) > 0) {
                message.put(field, random.nextInt(8) == 0 ? array(random) : scalar(random));
            }
        }
        return message;
    }

    private static List<@Nullable Object> array(final Random random) {
        final List<@Nullable Object> array = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            array.add(scalar(random));
        }
        return array;
    }

    private static @Nullable Object scalar(final Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2, 3, 4 -> LONGS[random.nextInt(LONGS.length)];
            case 5, 6, 7 -> REALS[random.nextInt(REALS.length)];
            default -> TEXTS[random.nextInt(TEXTS.length)];
        };
    }

    private static @Nullable Object scalar(final Map<String, @Nullable Object> message, final String field) {
        final Object value = message.get(field);
        return value instanceof List<?> list ? (list.isEmpty() ? null : list.get(0)) : value;
    }

    private static @Nullable Object first(final @Nullable Object left, final @Nullable Object right) {
        return left != null ? left : right;
    }

    static String json(final @Nullable Object value) {
        if (value instanceof String text) {
            return '"' + text + '"';
        }
        if (value instanceof List<?> list) {
            return "["
                    + String.join(",", list.stream().map(AggregationModel::json).toList()) + "]";
        }
        if (value instanceof Map<?, ?> map) {
            final List<String> members = map.entrySet().stream()
                    .map(each -> json(each.getKey()) + ":" + json(each.getValue()))
                    .toList();
            return "{" + String.join(",", members) + "}";
        }
        return String.valueOf(value);
    }

    /** Numbers that are equal become the same: an integer of 64 bits if they are one. */
    static @Nullable Object normal(final @Nullable Object value) {
        if (!(value instanceof Double real)) {
            return value;
        }
        try {
            return new BigDecimal(real).longValueExact();
        } catch (final ArithmeticException e) {
            return real;
        }
    }

    /** The rows by the values of their group, of which there is always one without a group by. */
    static Map<List<@Nullable Object>, Map<String, @Nullable Object>> rows(
            final List<Map<String, @Nullable Object>> messages, final List<String> groupBy, final List<Item> items) {
        final Map<List<@Nullable Object>, List<Map<String, @Nullable Object>>> groups = new HashMap<>();
        if (groupBy.isEmpty()) {
            groups.put(List.of(), new ArrayList<>());
        }
        for (final Map<String, @Nullable Object> message : messages) {
            final List<@Nullable Object> key = new ArrayList<>();
            groupBy.forEach(field -> key.add(normal(scalar(message, field))));
            groups.computeIfAbsent(key, ignored -> new ArrayList<>()).add(message);
        }
        final Map<List<@Nullable Object>, Map<String, @Nullable Object>> rows = new HashMap<>();
        groups.forEach((key, members) -> rows.put(key, row(key, members, items)));
        return rows;
    }

    private static Map<String, @Nullable Object> row(
            final List<@Nullable Object> key,
            final List<Map<String, @Nullable Object>> messages,
            final List<Item> items) {
        final Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (int i = 0; i < key.size(); i++) {
            row.put("g" + i, key.get(i));
        }
        for (int i = 0; i < items.size(); i++) {
            final var argument = items.get(i).argument();
            row.put(
                    "r" + i,
                    argument == null
                            ? (Object) (long) messages.size()
                            : normal(aggregate(
                                    items.get(i).function(),
                                    messages.stream()
                                            .map(argument)
                                            .filter(Objects::nonNull)
                                            .toList())));
        }
        return row;
    }

    private static @Nullable Object aggregate(final String function, final List<Object> values) {
        final List<Number> numbers = values.stream()
                .filter(value -> value instanceof Number)
                .map(value -> (Number) value)
                .toList();
        return switch (function) {
            case "COUNT" -> (long) values.size();
            case "COUNT(DISTINCT" ->
                values.stream().map(AggregationModel::normal).distinct().count();
            case "SUM" -> numbers.isEmpty() ? null : sum(numbers);
            case "AVG" -> numbers.isEmpty() ? null : mean(numbers);
            case "MIN" -> normal(values.stream().min(order()).orElse(null));
            default -> normal(values.stream().max(order()).orElse(null));
        };
    }

    private static boolean areLongs(final List<Number> numbers) {
        return numbers.stream().allMatch(number -> number instanceof Long);
    }

    private static BigDecimal decimal(final Object number) {
        return number instanceof Long integer ? BigDecimal.valueOf(integer) : new BigDecimal((Double) number);
    }

    private static BigDecimal total(final List<Number> numbers) {
        return numbers.stream().map(AggregationModel::decimal).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static @Nullable Object sum(final List<Number> numbers) {
        final BigDecimal total = total(numbers);
        if (areLongs(numbers) && total.toBigInteger().bitLength() < Long.SIZE) {
            return total.longValueExact();
        }
        return finite(total.doubleValue());
    }

    private static @Nullable Object finite(final double value) {
        return Double.isInfinite(value) ? null : (Object) value;
    }

    private static @Nullable Object mean(final List<Number> numbers) {
        final BigDecimal total = total(numbers);
        final BigInteger count = BigInteger.valueOf(numbers.size());
        if (areLongs(numbers) && total.toBigInteger().mod(count).signum() == 0) {
            return total.toBigInteger().divide(count).longValueExact();
        }
        final double sum = total.doubleValue();
        if (Double.isInfinite(sum)) {
            final BigDecimal scale = new BigDecimal(BigInteger.TWO.pow(64));
            return total.divide(scale).doubleValue() / numbers.size() * 0x1p64;
        }
        return finite(sum / numbers.size());
    }

    private static Comparator<Object> order() {
        return Comparator.comparingInt(AggregationModel::rank).thenComparing(AggregationModel::compare);
    }

    private static int rank(final Object value) {
        return value instanceof Boolean ? 0 : value instanceof Number ? 1 : 2;
    }

    private static int compare(final Object left, final Object right) {
        if (left instanceof Boolean first) {
            return first.compareTo((Boolean) right);
        }
        if (left instanceof Number) {
            return decimal(left).compareTo(decimal(right));
        }
        return Arrays.compareUnsigned(
                ((String) left).getBytes(StandardCharsets.UTF_8), ((String) right).getBytes(StandardCharsets.UTF_8));
    }
}
