package io.penstock.broker.filter.condition;

import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.format.FieldPath;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A condition in normal form: rows of "all of" and "any of" over tests, with no negation between them. Each test says
 * which of its truth values count, so that three-valued logic ends at the tests: a condition itself holds or does not.
 * Immutable.
 */
public sealed interface Condition {
    /**
     * Holds when all of some conditions hold.
     *
     * @param operands two or more, none of which is one of these itself.
     */
    record All(List<Condition> operands) implements Condition {
        @Override
        public String toString() {
            return operands.stream().map(Condition::toString).collect(Collectors.joining(", ", "all(", ")"));
        }
    }

    /**
     * Holds when any of some conditions holds.
     *
     * @param operands two or more, none of which is one of these itself.
     */
    record Any(List<Condition> operands) implements Condition {
        @Override
        public String toString() {
            return operands.stream().map(Condition::toString).collect(Collectors.joining(", ", "any(", ")"));
        }
    }

    /**
     * Holds when a test has one of the truth values that count.
     *
     * <p>Of a test with a field, {@code predicate} is one of these nodes, with that field as its operand: a comparison
     * with a literal on its right, BETWEEN and IN and BEGINS WITH, ENDS WITH or CONTAINS with literals only, LIKE,
     * LIKE_REGEX, IS NULL, or the field itself, which is tested for being true. Every other test is computed from the
     * whole message.
     *
     * @param predicate what is tested; no AND, OR, NOT, IS TRUE or IS FALSE.
     * @param field     the only field that it is about, held against what the filter's text says; null for every other
     *                  test.
     * @param accepted  which of its truth values count.
     */
    record Test(Node predicate, @Nullable FieldPath field, Accepted accepted) implements Condition {
        @Override
        public String toString() {
            return (field == null ? "?" : "")
                    + CanonicalText.of(predicate)
                    + switch (accepted) {
                        case TRUE -> "";
                        case FALSE -> " is false";
                        case NOT_TRUE -> " is not true";
                        case NOT_FALSE -> " is not false";
                    };
        }
    }
}
