package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Accepted;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What tests of one field have in common. Some of the last ones are known, and shared by the filters that have them. Immutable,
 * and safe on any thread.
 */
final class TestKind {
    private static final int COUNT = 1024;
    private static final AtomicReferenceArray<TestKind> KINDS = new AtomicReferenceArray<>(COUNT);

    private final Accepted accepted;
    private final FieldSet fields;

    /** Of comparisons, and what is on their left. */
    private final @Nullable ComparisonOperator operator;

    private final @Nullable Node operand;

    private TestKind(final Condition.Test test) {
        accepted = test.accepted();
        fields = KnownFieldSets.of(test);
        if (test.predicate() instanceof Node.Comparison comparison) {
            operator = comparison.operator();
            operand = comparison.left();
        } else {
            operator = null;
            operand = null;
        }
    }

    /**
     * The kind of a test.
     *
     * @param test with a field.
     * @return a kind that others may have, too.
     */
    static TestKind of(final Condition.Test test) {
        final FieldPath path = Objects.requireNonNull(test.field());
        final ComparisonOperator operator =
                test.predicate() instanceof Node.Comparison comparison ? comparison.operator() : null;
        final int hash = (path.hashCode() * 31 + test.accepted().ordinal()) * 31
                + (operator == null ? -1 : operator.ordinal());
        final int place = (hash ^ hash >>> 16) & COUNT - 1;
        final TestKind known = KINDS.get(place);
        if (known != null
                && known.accepted == test.accepted()
                && known.operator == operator
                && known.fields.path(0).equals(path)) {
            return known;
        }
        final TestKind made = new TestKind(test);
        KINDS.set(place, made);
        return made;
    }

    /** Whether it is of comparisons, of which it knows all but what is on the right. */
    boolean isOfComparisons() {
        return operator != null;
    }

    /** The only field. */
    FieldSet fields() {
        return fields;
    }

    /**
     * A test of this kind.
     *
     * @param node what is on the right of the comparison, or the predicate.
     */
    Condition.Test condition(final Node node) {
        final Node predicate = operator == null || operand == null ? node : new Node.Comparison(operator, operand, node);
        return new Condition.Test(predicate, fields.path(0), accepted);
    }
}
