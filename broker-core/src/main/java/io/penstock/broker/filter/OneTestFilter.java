package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.format.FieldSet;

/**
 * A light filter of one test. Of the usual ones, comparisons, it keeps the literal alone: the rest is the same for many
 * filters.
 */
final class OneTestFilter extends LightFilter {
    /** What is on the right of a comparison, or the predicate if it is none. */
    private final Node node;

    private final TestKind kind;

    /**
     * Makes it without a program.
     *
     * @param text      in canonical form.
     * @param condition with a field.
     */
    OneTestFilter(final String text, final Condition.Test condition) {
        super(text);
        kind = TestKind.of(condition);
        node = kind.isOfComparisons() ? ((Node.Comparison) condition.predicate()).right() : condition.predicate();
    }

    @Override
    public FieldSet ownFields() {
        return kind.fields();
    }

    @Override
    public Condition condition() {
        return kind.condition(node);
    }
}
