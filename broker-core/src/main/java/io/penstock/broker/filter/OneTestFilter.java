package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.format.FieldSet;

/** A light filter of one test. Of the usual ones it keeps the literal alone: the rest is the same for many filters. */
final class OneTestFilter extends LightFilter {
    private final Node kept;

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
        kept = kind.kept(condition.predicate());
    }

    @Override
    public FieldSet ownFields() {
        return kind.fields();
    }

    @Override
    public Condition condition() {
        return kind.condition(kept);
    }
}
