package io.penstock.broker.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.format.FieldSet;
import java.util.Objects;

/**
 * A light filter of one test. Of the usual ones it keeps what is on the right alone, as numbers or bytes: the rest is the same
 * for many filters.
 */
abstract class OneTestFilter extends LightFilter {
    private final TestKind kind;

    private OneTestFilter(final String text, final TestKind kind) {
        super(text);
        this.kind = kind;
    }

    /**
     * Makes it without a program.
     *
     * @param text      in canonical form.
     * @param condition with a field.
     * @return the filter.
     */
    static OneTestFilter of(final String text, final Condition.Test condition) {
        final TestKind kind = TestKind.of(condition);
        final Node kept = kind.kept(condition.predicate());
        if (kept instanceof Node.LongLiteral number) {
            return new OfNumber(text, kind, number.value());
        }
        if (kept instanceof Node.Between between
                && between.low() instanceof Node.LongLiteral low
                && between.high() instanceof Node.LongLiteral high) {
            return new OfRange(text, kind, low.value(), high.value());
        }
        if (kept instanceof Node.TextLiteral literal) {
            final byte[] bytes = literal.value().getBytes(UTF_8);
            // A text that is no Unicode is not what its bytes say.
            if (new String(bytes, UTF_8).equals(literal.value())) {
                return new OfText(text, kind, bytes);
            }
        }
        return new OfNode(text, kind, kept);
    }

    @Override
    public final FieldSet ownFields() {
        return kind.fields();
    }

    @Override
    public final Condition condition() {
        return kind.condition(kept(kind));
    }

    /** What {@link TestKind#kept} has given. */
    abstract Node kept(TestKind ofKind);

    private static final class OfNumber extends OneTestFilter {
        private final long number;

        OfNumber(final String text, final TestKind kind, final long number) {
            super(text, kind);
            this.number = number;
        }

        @Override
        Node kept(final TestKind ofKind) {
            return new Node.LongLiteral(number);
        }
    }

    private static final class OfRange extends OneTestFilter {
        private final long low;
        private final long high;

        OfRange(final String text, final TestKind kind, final long low, final long high) {
            super(text, kind);
            this.low = low;
            this.high = high;
        }

        @Override
        Node kept(final TestKind ofKind) {
            return new Node.Between(
                    Objects.requireNonNull(ofKind.operand()), new Node.LongLiteral(low), new Node.LongLiteral(high));
        }
    }

    private static final class OfText extends OneTestFilter {
        private final byte[] bytes;

        OfText(final String text, final TestKind kind, final byte[] bytes) {
            super(text, kind);
            this.bytes = bytes;
        }

        @Override
        Node kept(final TestKind ofKind) {
            return new Node.TextLiteral(new String(bytes, UTF_8));
        }
    }

    private static final class OfNode extends OneTestFilter {
        private final Node kept;

        OfNode(final String text, final TestKind kind, final Node kept) {
            super(text, kind);
            this.kept = kept;
        }

        @Override
        Node kept(final TestKind ofKind) {
            return kept;
        }
    }
}
