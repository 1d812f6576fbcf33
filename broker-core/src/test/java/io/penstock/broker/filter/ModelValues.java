package io.penstock.broker.filter;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What operators do, in the plainest way. */
final class ModelValues {
    private ModelValues() {}

    static @Nullable Object element(final @Nullable Object value) {
        return value instanceof List ? Model.OBJECT : value;
    }

    static @Nullable Boolean truth(final @Nullable Object value) {
        return value instanceof Boolean truth ? truth : null;
    }

    static @Nullable Boolean not(final @Nullable Boolean truth) {
        return truth == null ? null : !truth;
    }

    static @Nullable Boolean and(final @Nullable Boolean left, final @Nullable Boolean right) {
        if (Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right)) {
            return false;
        }
        return (left == null || right == null) ? null : Boolean.TRUE;
    }

    static @Nullable Boolean or(final @Nullable Boolean left, final @Nullable Boolean right) {
        return not(and(not(left), not(right)));
    }

    /** A test of a value, or of any element of an array. */
    static @Nullable Boolean any(
            final @Nullable Object value, final Function<@Nullable Object, @Nullable Boolean> test) {
        if (!(value instanceof List<?> list)) {
            return test.apply(value);
        }
        Boolean result = false;
        for (final Object each : list) {
            result = or(result, test.apply(element(each)));
        }
        return result;
    }

    static @Nullable Boolean compare(final String operator, final @Nullable Object left, final @Nullable Object right) {
        return any(left, l -> any(right, r -> compareScalars(operator, l, r)));
    }

    private static @Nullable Boolean compareScalars(
            final String operator, final @Nullable Object left, final @Nullable Object right) {
        if (left == null || right == null || left instanceof Map || right instanceof Map) {
            return null;
        }
        final int order;
        if (left instanceof Number && right instanceof Number) {
            order = compareNumbers(left, right);
        } else if (left instanceof String l && right instanceof String r) {
            order = Arrays.compareUnsigned(l.getBytes(StandardCharsets.UTF_8), r.getBytes(StandardCharsets.UTF_8));
        } else if (left instanceof Boolean l && right instanceof Boolean r) {
            order = l.compareTo(r);
        } else {
            return operator.equals("<>");
        }
        return switch (operator) {
            case "=" -> order == 0;
            case "<>" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            case ">=" -> order >= 0;
            default -> throw new AssertionError(operator);
        };
    }

    private static int compareNumbers(final Object left, final Object right) {
        if (isInfinite(left) || isInfinite(right)) {
            return Double.compare(((Number) left).doubleValue(), ((Number) right).doubleValue());
        }
        return decimal(left).compareTo(decimal(right));
    }

    private static boolean isInfinite(final Object number) {
        return number instanceof Double real && real.isInfinite();
    }

    private static BigDecimal decimal(final Object number) {
        return number instanceof Double real ? new BigDecimal(real) : BigDecimal.valueOf((Long) number);
    }

    static @Nullable Boolean like(final @Nullable Object value, final String pattern, final int escape) {
        if (value == null || value instanceof Map) {
            return null;
        }
        if (!(value instanceof String text)) {
            return false;
        }
        return like(text.codePoints().toArray(), 0, pattern.codePoints().toArray(), 0, escape);
    }

    /** Exponential, and obviously right. */
    private static boolean like(final int[] text, final int t, final int[] pattern, final int p, final int escape) {
        if (p == pattern.length) {
            return t == text.length;
        }
        if (pattern[p] == escape) {
            return t < text.length && text[t] == pattern[p + 1] && like(text, t + 1, pattern, p + 2, escape);
        }
        if (pattern[p] == '%') {
            return like(text, t, pattern, p + 1, escape) || (t < text.length && like(text, t + 1, pattern, p, escape));
        }
        return t < text.length
                && (pattern[p] == '_' || pattern[p] == text[t])
                && like(text, t + 1, pattern, p + 1, escape);
    }

    static @Nullable Boolean affix(final String operator, final @Nullable Object left, final @Nullable Object right) {
        return any(left, l -> any(right, r -> affixScalars(operator, l, r)));
    }

    private static @Nullable Boolean affixScalars(
            final String operator, final @Nullable Object left, final @Nullable Object right) {
        if (left == null || right == null || left instanceof Map || right instanceof Map) {
            return null;
        }
        if (!(left instanceof String text) || !(right instanceof String part)) {
            return false;
        }
        return switch (operator) {
            case "BEGINS WITH" -> text.startsWith(part);
            case "ENDS WITH" -> text.endsWith(part);
            default -> text.contains(part);
        };
    }

    static @Nullable Object arithmetic(
            final String operator, final @Nullable Object left, final @Nullable Object right) {
        if (left instanceof String l && right instanceof String r && (operator.equals("+") || operator.equals("||"))) {
            return l + r;
        }
        if (left instanceof Long l && right instanceof Long r) {
            return ofLongs(operator, l, r);
        }
        if (left instanceof Number l && right instanceof Number r) {
            return ofDoubles(operator, l.doubleValue(), r.doubleValue());
        }
        return null;
    }

    private static @Nullable Object ofLongs(final String operator, final long left, final long right) {
        return switch (operator) {
            case "+" -> exactly(left, right, Math::addExact, Double::sum);
            case "-" -> exactly(left, right, Math::subtractExact, (a, b) -> a - b);
            case "*" -> exactly(left, right, Math::multiplyExact, (a, b) -> a * b);
            case "/" -> {
                if (right == 0) {
                    yield null;
                }
                if (left == Long.MIN_VALUE && right == -1) {
                    yield 0x1p63;
                }
                yield left % right == 0 ? (Object) (left / right) : (Object) ((double) left / right);
            }
            case "%" -> right == 0 ? null : left % right;
            default -> null;
        };
    }

    private static Object exactly(
            final long left, final long right, final BinaryOperator<Long> exact, final BinaryOperator<Double> rounded) {
        try {
            return exact.apply(left, right);
        } catch (final ArithmeticException e) {
            return rounded.apply((double) left, (double) right);
        }
    }

    private static @Nullable Object ofDoubles(final String operator, final double left, final double right) {
        final double result = switch (operator) {
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            case "/" -> right == 0 ? Double.NaN : left / right;
            case "%" -> left % right;
            default -> Double.NaN;
        };
        return Double.isNaN(result) ? null : result;
    }

    static @Nullable Object negative(final @Nullable Object value) {
        if (value instanceof Long number) {
            return number == Long.MIN_VALUE ? (Object) 0x1p63 : (Object) (-number);
        }
        return value instanceof Double real ? -real : null;
    }

    static @Nullable Object substr(final String text, final long position, final long count) {
        final int[] points = text.codePoints().toArray();
        final long from = position < 0 ? Math.max(0, points.length + position) : Math.max(0, position - 1);
        final int start = (int) Math.min(points.length, from);
        final int end = (int) Math.min(points.length, start + Math.max(0, count));
        return new String(points, start, end - start);
    }
}
