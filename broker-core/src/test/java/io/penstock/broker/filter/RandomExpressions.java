package io.penstock.broker.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes random conditions, spelled in random ways, and random messages that they may or may not match. */
final class RandomExpressions {
    static final int OR = 1;
    static final int AND = 2;
    static final int NOT = 3;
    static final int COMPARISON = 4;
    static final int SUM = 5;
    static final int PRODUCT = 6;
    static final int SIGN = 7;
    static final int ATOM = 8;

    private static final String[] FIELDS = {"a", "b", "c", "d", "in1", "Long_name"};
    private static final String[] TEXTS = {"", "a", "b", "ab", "aab", "abab", "%", "_", "ü", "aü😀", "it's", "B"};
    private static final double[] REALS = {0.0, -0.0, 0.5, 2.0, 2.5, -3.25, 1e300, 0x1p63};
    private static final long[] LONGS = {
        0, 1, 2, 3, -1, -3, 10, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53, (1L << 53) + 1
    };
    private static final String[] COMPARISONS = {"=", "<>", "<", "<=", ">", ">="};
    private static final String[] AFFIXES = {"BEGINS WITH", "ENDS WITH", "CONTAINS"};

    private final Random random;

    RandomExpressions(final long seed) {
        random = new Random(seed);
    }

    Map<String, @Nullable Object> message() {
        final Map<String, @Nullable Object> message = new LinkedHashMap<>();
        for (final String field : FIELDS) {
            if (random.nextInt(5) > 0) {
                message.put(field, random.nextInt(6) == 0 ? array() : scalar());
            }
        }
        return message;
    }

    private List<@Nullable Object> array() {
        final List<@Nullable Object> array = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(random.nextInt(8) == 0 ? List.of(1L) : scalar());
        }
        return array;
    }

    private @Nullable Object scalar() {
        return switch (random.nextInt(9)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2, 3, 4 -> LONGS[random.nextInt(LONGS.length)];
            case 5 -> REALS[random.nextInt(REALS.length)];
            case 6 -> random.nextInt(4) == 0 ? Model.OBJECT : random.nextBoolean();
            default -> TEXTS[random.nextInt(TEXTS.length)];
        };
    }

    Model condition(final int depth) {
        if (depth == 0) {
            return random.nextInt(3) == 0 ? booleanLiteral() : field();
        }
        return switch (random.nextInt(14)) {
            case 0 -> field();
            case 1, 2 -> junction(depth, true);
            case 3, 4 -> junction(depth, false);
            case 5 -> not(depth);
            case 6 -> between(depth);
            case 7 -> in(depth);
            case 8 -> like(depth);
            case 9 -> affix(depth);
            case 10 -> is(depth);
            case 11 -> choice(depth, condition(depth - 1), condition(depth - 1));
            default -> comparison(depth);
        };
    }

    private Model junction(final int depth, final boolean isAnd) {
        final int power = isAnd ? AND : OR;
        final List<Model> parts = new ArrayList<>();
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            parts.add(condition(depth - 1));
        }
        final String text = parts.stream()
                .map(part -> within(part, power + 1))
                .collect(Collectors.joining(space() + word(isAnd ? "AND" : "OR") + space()));
        return new Model(text, power, message -> {
            Boolean result = isAnd;
            for (final Model part : parts) {
                final Boolean truth = part.condition(message);
                result = isAnd ? ModelValues.and(result, truth) : ModelValues.or(result, truth);
            }
            return result;
        });
    }

    private Model not(final int depth) {
        final Model part = condition(depth - 1);
        return new Model(
                word("NOT") + space() + within(part, NOT), NOT, message -> ModelValues.not(part.condition(message)));
    }

    private Model comparison(final int depth) {
        final Model left = any(depth - 1);
        final Model right = any(depth - 1);
        final String operator = pick(COMPARISONS);
        final String sign = operator.equals("<>") && random.nextBoolean() ? "!=" : operator;
        return new Model(
                within(left, SUM) + gap() + sign + gap() + within(right, SUM),
                COMPARISON,
                message -> ModelValues.compare(operator, left.value(message), right.value(message)));
    }

    private Model between(final int depth) {
        final Model operand = any(depth - 1);
        final Model low = any(depth - 1);
        final Model high = any(depth - 1);
        return negatable(
                operand,
                word("BETWEEN") + space() + within(low, SUM) + space() + word("AND") + space() + within(high, SUM),
                message -> ModelValues.any(
                        operand.value(message),
                        value -> ModelValues.and(
                                ModelValues.compare(">=", value, low.scalar(message)),
                                ModelValues.compare("<=", value, high.scalar(message)))));
    }

    private Model in(final int depth) {
        final Model operand = any(depth - 1);
        final List<Model> items = new ArrayList<>();
        final boolean isOfLiterals = random.nextBoolean();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            items.add(isOfLiterals ? literal() : any(0));
        }
        return negatable(operand, word("IN") + gap() + list(items), message -> {
            Boolean result = false;
            for (final Model item : items) {
                final Boolean isEqual = ModelValues.compare("=", operand.value(message), item.value(message));
                result = ModelValues.or(result, isEqual);
            }
            return result;
        });
    }

    private Model like(final int depth) {
        final Model operand = any(depth - 1);
        final StringBuilder pattern = new StringBuilder();
        final boolean isEscaped = random.nextInt(3) == 0;
        for (int i = random.nextInt(6); i > 0; i--) {
            pattern.append(pick("%", "_", "a", "b", "ab", "ü", isEscaped ? "!%" : "%", isEscaped ? "!!" : "B"));
        }
        final String text = pattern.toString();
        return negatable(
                operand,
                word("LIKE") + gap() + quoted(text) + (isEscaped ? space() + word("ESCAPE") + gap() + "'!'" : ""),
                message -> ModelValues.any(
                        operand.value(message), value -> ModelValues.like(value, text, isEscaped ? '!' : -1)));
    }

    private Model affix(final int depth) {
        final Model operand = any(depth - 1);
        final String operator = pick(AFFIXES);
        final List<Model> items = new ArrayList<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            items.add(random.nextBoolean() ? textLiteral() : text(depth - 1));
        }
        return negatable(operand, word(operator) + space() + list(items), message -> {
            Boolean result = false;
            for (final Model item : items) {
                final Boolean has = ModelValues.affix(operator, operand.value(message), item.value(message));
                result = ModelValues.or(result, has);
            }
            return result;
        });
    }

    private Model negatable(final Model operand, final String rest, final Model.Evaluate evaluate) {
        final String left = within(operand, SUM) + space();
        if (random.nextInt(3) > 0) {
            return new Model(left + rest, COMPARISON, evaluate);
        }
        return new Model(
                left + word("NOT") + space() + rest,
                COMPARISON,
                message -> ModelValues.not((Boolean) evaluate.over(message)));
    }

    private Model is(final int depth) {
        final boolean isNegated = random.nextBoolean();
        final String not = isNegated ? word("NOT") + space() : "";
        if (random.nextBoolean()) {
            final Model operand = any(depth - 1);
            return new Model(
                    within(operand, SUM) + space() + word("IS") + space() + not + word("NULL"),
                    COMPARISON,
                    message -> (operand.value(message) == null) != isNegated);
        }
        final Model operand = condition(depth - 1);
        final boolean truth = random.nextBoolean();
        return new Model(
                within(operand, SUM) + space() + word("IS") + space() + not + word(truth ? "TRUE" : "FALSE"),
                COMPARISON,
                message -> Boolean.valueOf(truth).equals(operand.condition(message)) != isNegated);
    }

    private Model choice(final int depth, final Model yes, final Model no) {
        final Model condition = condition(depth - 1);
        return call(
                "IF",
                List.of(condition, yes, no),
                message ->
                        Boolean.TRUE.equals(condition.condition(message)) ? yes.scalar(message) : no.scalar(message));
    }

    /** Any value. */
    private Model any(final int depth) {
        if (depth <= 0) {
            return random.nextBoolean() ? field() : literal();
        }
        return switch (random.nextInt(8)) {
            case 0, 1 -> field();
            case 2 -> literal();
            case 3 -> number(depth);
            case 4 -> text(depth);
            case 5 -> condition(depth - 1);
            case 6 -> choice(depth, any(depth - 1), any(depth - 1));
            default -> chosen(depth);
        };
    }

    private Model chosen(final int depth) {
        final Model first = any(depth - 1);
        final Model second = any(depth - 1);
        final List<Model> arguments = List.of(first, second);
        return switch (random.nextInt(4)) {
            case 0 ->
                call("COALESCE", arguments, message -> {
                    final Object value = first.scalar(message);
                    final Object other = second.scalar(message);
                    return value != null ? value : other;
                });
            case 1 ->
                call("NULLIF", arguments, message -> {
                    final Object value = first.scalar(message);
                    return Boolean.TRUE.equals(ModelValues.compare("=", value, second.scalar(message))) ? null : value;
                });
            case 2 -> call("MIN", arguments, message -> extreme("<=", first.scalar(message), second.scalar(message)));
            default -> call("MAX", arguments, message -> extreme(">=", first.scalar(message), second.scalar(message)));
        };
    }

    private static @Nullable Object extreme(
            final String operator, final @Nullable Object left, final @Nullable Object right) {
        if (Boolean.TRUE.equals(ModelValues.compare(operator, left, right))) {
            return left;
        }
        return Boolean.TRUE.equals(ModelValues.compare(operator, right, left)) ? right : null;
    }

    private Model number(final int depth) {
        if (depth <= 0) {
            return random.nextBoolean() ? field() : numberLiteral();
        }
        return switch (random.nextInt(6)) {
            case 0 -> numberLiteral();
            case 1 -> {
                final Model operand = number(depth - 1);
                yield new Model(
                        "-" + gap() + within(operand, SIGN), SIGN, m -> ModelValues.negative(operand.scalar(m)));
            }
            case 2 -> {
                final Model operand = text(depth - 1);
                yield call(
                        "LENGTH",
                        List.of(operand),
                        message -> operand.scalar(message) instanceof String text
                                ? (long) text.codePointCount(0, text.length())
                                : null);
            }
            case 3 -> arithmetic(number(depth - 1), pick("*", "/", "%"), number(depth - 1), PRODUCT);
            default -> arithmetic(number(depth - 1), pick("+", "-"), number(depth - 1), SUM);
        };
    }

    private Model arithmetic(final Model left, final String operator, final Model right, final int power) {
        return new Model(
                within(left, power) + space() + operator + space() + within(right, power + 1),
                power,
                message -> ModelValues.arithmetic(operator, left.scalar(message), right.scalar(message)));
    }

    private Model text(final int depth) {
        if (depth <= 0) {
            return random.nextBoolean() ? field() : textLiteral();
        }
        return switch (random.nextInt(5)) {
            case 0 -> arithmetic(text(depth - 1), "||", text(depth - 1), SUM);
            case 1 -> {
                final Model operand = text(depth - 1);
                yield call(
                        "UPPER",
                        List.of(operand),
                        message ->
                                operand.scalar(message) instanceof String text ? text.toUpperCase(Locale.ROOT) : null);
            }
            case 2 -> {
                final Model operand = text(depth - 1);
                final long position = random.nextInt(7) - 3L;
                final long count = random.nextInt(4);
                final List<Model> arguments = List.of(operand, ofLong(position), ofLong(count));
                yield call(
                        "SUBSTR",
                        arguments,
                        message -> operand.scalar(message) instanceof String text
                                ? ModelValues.substr(text, position, count)
                                : null);
            }
            case 3 -> {
                final List<Model> parts = List.of(text(depth - 1), textLiteral(), textLiteral());
                yield call("REPLACE", parts, message -> {
                    final Object part = parts.get(1).scalar(message);
                    return parts.get(0).scalar(message) instanceof String text
                            ? "".equals(part)
                                    ? text
                                    : text.replace(
                                            (String) part, (String) parts.get(2).scalar(message))
                            : null;
                });
            }
            default -> textLiteral();
        };
    }

    private Model call(final String name, final List<Model> arguments, final Model.Evaluate evaluate) {
        return new Model(word(name) + gap() + list(arguments), ATOM, evaluate);
    }

    private String list(final List<Model> items) {
        return items.stream().map(item -> within(item, 0)).collect(Collectors.joining("," + gap(), "(", ")"));
    }

    private Model field() {
        final String name = pick(FIELDS);
        final String spelling = pick(name, name, "/" + name, "\"" + name + "\"", "[/" + name + "]");
        return new Model(spelling, ATOM, message -> message.get(name));
    }

    private Model literal() {
        return switch (random.nextInt(5)) {
            case 0 -> booleanLiteral();
            case 1, 2 -> textLiteral();
            default -> numberLiteral();
        };
    }

    private Model booleanLiteral() {
        final boolean value = random.nextBoolean();
        return new Model(word(value ? "TRUE" : "FALSE"), ATOM, message -> value);
    }

    private Model textLiteral() {
        final String value = pick(TEXTS);
        return new Model(quoted(value), ATOM, message -> value);
    }

    private Model numberLiteral() {
        if (random.nextInt(3) == 0) {
            final double value = REALS[random.nextInt(REALS.length)];
            return new Model(Double.toString(value), value < 0 || 1 / value < 0 ? SIGN : ATOM, message -> value);
        }
        return ofLong(LONGS[random.nextInt(LONGS.length)]);
    }

    private Model ofLong(final long value) {
        final String digits = Long.toString(value);
        final String spelling = value < 0
                ? digits
                : pick(digits, digits + "L", "0x" + Long.toHexString(value), "0" + Long.toOctalString(value));
        final boolean isZero = value == 0;
        return new Model(isZero ? "0" : spelling, value < 0 ? SIGN : ATOM, message -> value);
    }

    private static String quoted(final String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private String within(final Model part, final int powerMin) {
        final boolean isBracketed = part.power() < powerMin || random.nextInt(8) == 0;
        return isBracketed ? "(" + gap() + part.text() + gap() + ")" : part.text();
    }

    private String word(final String word) {
        return random.nextInt(4) == 0 ? word.toLowerCase(Locale.ROOT) : word;
    }

    private String space() {
        return random.nextInt(10) == 0 ? " \t\n" : " ";
    }

    private String gap() {
        return random.nextInt(3) == 0 ? "" : " ";
    }

    private String pick(final String... choices) {
        return Arrays.asList(choices).get(random.nextInt(choices.length));
    }
}
