package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Accepted;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.AffixOperator;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.broker.filter.value.PairTest;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.List;
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

    /** Of comparisons, or what looks for one text in another; null for other tests. */
    private final @Nullable PairTest operator;

    /** On the left of the operator, or of BETWEEN. */
    private final @Nullable Node operand;

    private TestKind(final Condition.Test test) {
        accepted = test.accepted();
        fields = KnownFieldSets.of(test);
        operator = operator(test.predicate());
        operand = operand(test.predicate());
    }

    private static @Nullable PairTest operator(final Node predicate) {
        if (predicate instanceof Node.Comparison comparison) {
            return comparison.operator();
        }
        return predicate instanceof Node.Affix affix && affix.items().size() == 1 ? affix.operator() : null;
    }

    private static @Nullable Node operand(final Node predicate) {
        if (predicate instanceof Node.Comparison comparison) {
            return comparison.left();
        }
        if (predicate instanceof Node.Between between) {
            return between.operand();
        }
        return predicate instanceof Node.Affix affix ? affix.operand() : null;
    }

    /** What is on the left, if tests of the kind have an operator or are BETWEEN. */
    @Nullable
    Node operand() {
        return operand;
    }

    /**
     * The kind of a test.
     *
     * @param test with a field.
     * @return a kind that others may have, too.
     */
    static TestKind of(final Condition.Test test) {
        final FieldPath path = Objects.requireNonNull(test.field());
        final PairTest operator = operator(test.predicate());
        final int hash = (path.hashCode() * 31 + test.accepted().hashCode()) * 31 + Objects.hashCode(operator);
        final int place = (hash ^ hash >>> 16) & COUNT - 1;
        final TestKind known = KINDS.get(place);
        if (known != null
                && known.accepted == test.accepted()
                && Objects.equals(known.operator, operator)
                && (known.operand == null) == (operand(test.predicate()) == null)
                && known.fields.path(0).equals(path)) {
            return known;
        }
        final TestKind made = new TestKind(test);
        KINDS.set(place, made);
        return made;
    }

    /** What a filter of this kind has to keep of its test: the literal on the right, or all of the predicate. */
    Node kept(final Node predicate) {
        if (operator == null) {
            return predicate;
        }
        return predicate instanceof Node.Comparison comparison
                ? comparison.right()
                : ((Node.Affix) predicate).items().get(0);
    }

    /** The only field. */
    FieldSet fields() {
        return fields;
    }

    /**
     * A test of this kind.
     *
     * @param kept of it.
     */
    Condition.Test condition(final Node kept) {
        return new Condition.Test(predicate(kept), fields.path(0), accepted);
    }

    private Node predicate(final Node kept) {
        final Node left = operand;
        if (left == null || operator == null) {
            return kept;
        }
        return operator instanceof ComparisonOperator comparison
                ? new Node.Comparison(comparison, left, kept)
                : new Node.Affix((AffixOperator) operator, left, List.of(kept));
    }
}
