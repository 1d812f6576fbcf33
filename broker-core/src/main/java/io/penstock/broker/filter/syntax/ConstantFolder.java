package io.penstock.broker.filter.syntax;

import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.filter.value.Register;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** Computes arithmetic of numeric literals when the filter is compiled, so that {@code (1-17)} is a literal as well. */
public final class ConstantFolder {
    private ConstantFolder() {}

    public static boolean isLiteral(final Node node) {
        return isNumber(node) || node instanceof Node.TextLiteral || node instanceof Node.BooleanLiteral;
    }

    private static boolean isNumber(final Node node) {
        return node instanceof Node.LongLiteral || node instanceof Node.DoubleLiteral;
    }

    static Node fold(final Node.Sign sign) {
        if (!isNumber(sign.operand())) {
            return sign;
        }
        if (!sign.isMinus()) {
            return sign.operand();
        }
        final Register result = new Register();
        Numbers.negate(constant(sign.operand()), result);
        return literal(result, sign);
    }

    static Node fold(final Node.Arithmetic arithmetic) {
        if (!isNumber(arithmetic.left()) || !isNumber(arithmetic.right())) {
            return arithmetic;
        }
        final Register result = new Register();
        Numbers.apply(arithmetic.operator(), constant(arithmetic.left()), constant(arithmetic.right()), result);
        return literal(result, arithmetic);
    }

    /** NULL and infinity have no literals; an expression with such a result stays as it is. */
    private static Node literal(final Register result, final Node original) {
        return switch (result.type()) {
            case LONG -> new Node.LongLiteral(result.longValue());
            case DOUBLE -> real(result.doubleValue(), original);
            default -> original;
        };
    }

    /** The digits of the least integer are beyond 64 bits without their sign, so it comes here as a double. */
    private static Node real(final double value, final Node original) {
        if (value == Long.MIN_VALUE) {
            return new Node.LongLiteral(Long.MIN_VALUE);
        }
        return Double.isInfinite(value) ? original : new Node.DoubleLiteral(value);
    }

    /** A register that holds a literal for good. */
    public static Register constant(final Node literal) {
        final Register register = new Register();
        if (literal instanceof Node.BooleanLiteral value) {
            register.set(value.value());
        } else if (literal instanceof Node.LongLiteral value) {
            register.set(value.value());
        } else if (literal instanceof Node.DoubleLiteral value) {
            register.set(value.value());
        } else if (literal instanceof Node.TextLiteral value) {
            final byte[] bytes = value.value().getBytes(StandardCharsets.UTF_8);
            register.set(new UnsafeBuffer(bytes), 0, bytes.length);
        } else {
            throw new IllegalArgumentException("not a literal: " + literal);
        }
        return register;
    }
}
