package io.penstock.system.permission;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A condition of a rule or of a client: what it is of a message, and its text. */
sealed interface Condition {
    /** What it is of a message, for a user that has its attributes. */
    Truth of(Sample sample, User user);

    /** In the language of filters. */
    String text();

    /** Attributes of users that it names. */
    default Set<String> attributes() {
        return Set.of();
    }

    /** Fields of messages that it names. */
    Set<String> fields();

    /** A field, a header, an attribute or a value. */
    sealed interface Operand {
        @Nullable
        Object of(Sample sample, User user);

        String text();

        record Field(String name) implements Operand {
            @Override
            public @Nullable Object of(final Sample sample, final User user) {
                return sample.fields().get(name);
            }

            @Override
            public String text() {
                return name;
            }
        }

        record Header(String name) implements Operand {
            @Override
            public @Nullable Object of(final Sample sample, final User user) {
                return sample.headers().get(name);
            }

            @Override
            public String text() {
                return "HEADER('" + name + "')";
            }
        }

        record Attribute(String name) implements Operand {
            @Override
            public @Nullable Object of(final Sample sample, final User user) {
                return user.attribute(name);
            }

            @Override
            public String text() {
                return "USER('" + name + "')";
            }
        }

        record Value(Object value) implements Operand {
            @Override
            public Object of(final Sample sample, final User user) {
                return value;
            }

            @Override
            public String text() {
                return value instanceof String string
                        ? "'" + string.replace("'", "''") + "'"
                        : String.valueOf(value).toUpperCase(java.util.Locale.ROOT);
            }
        }
    }

    record Compare(Operand left, String operator, Operand right) implements Condition {
        @Override
        public Truth of(final Sample sample, final User user) {
            final Object one = left.of(sample, user);
            final Object other = right.of(sample, user);
            if (one == null || other == null) {
                return Truth.UNKNOWN;
            }
            return Truth.of(
                    switch (operator) {
                        case "=" -> one.equals(other);
                        case "<>" -> !one.equals(other);
                        case "<" -> (Long) one < (Long) other;
                        default -> (Long) one > (Long) other;
                    });
        }

        @Override
        public String text() {
            return left.text() + " " + operator + " " + right.text();
        }

        @Override
        public Set<String> attributes() {
            return attributesOf(List.of(left, right));
        }

        @Override
        public Set<String> fields() {
            return fieldsOf(List.of(left, right));
        }
    }

    record In(Operand left, List<Operand> values) implements Condition {
        @Override
        public Truth of(final Sample sample, final User user) {
            Truth any = Truth.FALSE;
            for (final Operand each : values) {
                any = any.or(new Compare(left, "=", each).of(sample, user));
            }
            return any;
        }

        @Override
        public String text() {
            return left.text() + " IN (" + values.stream().map(Operand::text).collect(Collectors.joining(", ")) + ")";
        }

        @Override
        public Set<String> attributes() {
            return attributesOf(values);
        }

        @Override
        public Set<String> fields() {
            return fieldsOf(List.of(left));
        }
    }

    record Between(Operand left, long low, long high) implements Condition {
        @Override
        public Truth of(final Sample sample, final User user) {
            final Object value = left.of(sample, user);
            return value == null ? Truth.UNKNOWN : Truth.of((Long) value >= low && (Long) value <= high);
        }

        @Override
        public String text() {
            return left.text() + " BETWEEN " + low + " AND " + high;
        }

        @Override
        public Set<String> fields() {
            return fieldsOf(List.of(left));
        }
    }

    record IsNull(Operand left) implements Condition {
        @Override
        public Truth of(final Sample sample, final User user) {
            return Truth.of(left.of(sample, user) == null);
        }

        @Override
        public String text() {
            return left.text() + " IS NULL";
        }

        @Override
        public Set<String> fields() {
            return fieldsOf(List.of(left));
        }
    }

    record StartsWith(Operand left, String start) implements Condition {
        @Override
        public Truth of(final Sample sample, final User user) {
            final Object value = left.of(sample, user);
            return value == null ? Truth.UNKNOWN : Truth.of(((String) value).startsWith(start));
        }

        @Override
        public String text() {
            return left.text() + " LIKE '" + start + "%'";
        }

        @Override
        public Set<String> fields() {
            return fieldsOf(List.of(left));
        }
    }

    /** A boolean field by itself. */
    record Holds(Operand left) implements Condition {
        @Override
        public Truth of(final Sample sample, final User user) {
            final Object value = left.of(sample, user);
            return value == null ? Truth.UNKNOWN : Truth.of((Boolean) value);
        }

        @Override
        public String text() {
            return left.text();
        }

        @Override
        public Set<String> fields() {
            return fieldsOf(List.of(left));
        }
    }

    record Not(Condition inner) implements Condition {
        @Override
        public Truth of(final Sample sample, final User user) {
            return inner.of(sample, user).not();
        }

        @Override
        public String text() {
            return "NOT (" + inner.text() + ")";
        }

        @Override
        public Set<String> attributes() {
            return inner.attributes();
        }

        @Override
        public Set<String> fields() {
            return inner.fields();
        }
    }

    record Both(boolean isAnd, Condition left, Condition right) implements Condition {
        @Override
        public Truth of(final Sample sample, final User user) {
            final Truth one = left.of(sample, user);
            final Truth other = right.of(sample, user);
            return isAnd ? one.and(other) : one.or(other);
        }

        @Override
        public String text() {
            return "(" + left.text() + (isAnd ? " AND " : " OR ") + right.text() + ")";
        }

        @Override
        public Set<String> attributes() {
            final Set<String> all = new TreeSet<>(left.attributes());
            all.addAll(right.attributes());
            return all;
        }

        @Override
        public Set<String> fields() {
            final Set<String> all = new TreeSet<>(left.fields());
            all.addAll(right.fields());
            return all;
        }
    }

    private static Set<String> fieldsOf(final List<Operand> operands) {
        return operands.stream()
                .filter(Operand.Field.class::isInstance)
                .map(each -> ((Operand.Field) each).name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> attributesOf(final List<Operand> operands) {
        return operands.stream()
                .filter(Operand.Attribute.class::isInstance)
                .map(each -> ((Operand.Attribute) each).name())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
