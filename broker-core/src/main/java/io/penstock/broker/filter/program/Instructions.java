package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.ArithmeticOperator;
import io.penstock.broker.filter.value.Comparing;
import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.filter.value.PairTest;
import io.penstock.broker.filter.value.RangeTest;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.ValueTest;

/** The instructions that compute values other than by calling functions. */
public final class Instructions {
    /** The truth of a value that stands as a condition. */
    static final ValueTest CONDITION = Comparing::condition;

    private Instructions() {}

    static final class Load extends Instruction {
        private final int field;

        Load(final Register target, final int field) {
            super(target);
            this.field = field;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            target().load(evaluation.message(), evaluation.slot(field));
        }
    }

    static final class Sign extends Instruction {
        private final boolean isMinus;
        private final Register operand;

        Sign(final Register target, final boolean isMinus, final Register operand) {
            super(target);
            this.isMinus = isMinus;
            this.operand = operand;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            evaluation.makeScalar(operand);
            if (!operand.hasNumber()) {
                target().setNull();
            } else if (isMinus) {
                Numbers.negate(operand, target());
            } else {
                target().setNumber(operand);
            }
        }
    }

    static final class Arithmetic extends Instruction {
        private final ArithmeticOperator operator;
        private final Register left;
        private final Register right;

        Arithmetic(
                final Register target, final ArithmeticOperator operator, final Register left, final Register right) {
            super(target);
            this.operator = operator;
            this.left = left;
            this.right = right;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            evaluation.makeScalar(left);
            evaluation.makeScalar(right);
            if (left.isText() && right.isText() && joins()) {
                evaluation.arena().begin();
                evaluation.arena().append(left);
                evaluation.arena().append(right);
                evaluation.arena().end(target());
            } else if (operator != ArithmeticOperator.CONCATENATE && left.hasNumber() && right.hasNumber()) {
                Numbers.apply(operator, left, right, target());
            } else {
                target().setNull();
            }
        }

        /** Plus joins texts, but untyped ones that are both numbers it adds. */
        private boolean joins() {
            return switch (operator) {
                case CONCATENATE -> true;
                case ADD -> !left.hasNumber() || !right.hasNumber();
                default -> false;
            };
        }
    }

    /** A value that stands as a condition. */
    static final class Condition extends Instruction {
        private final Register operand;

        Condition(final Register target, final Register operand) {
            super(target);
            this.operand = operand;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            target().setTruth(evaluation.any(operand, CONDITION));
        }
    }

    static final class IsNull extends Instruction {
        private final Register operand;

        IsNull(final Register target, final Register operand) {
            super(target);
            this.operand = operand;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            target().set(operand.isNull());
        }
    }

    /** IS TRUE or IS FALSE of a condition's value. */
    static final class IsTruth extends Instruction {
        private final Register operand;
        private final boolean truth;

        IsTruth(final Register target, final Register operand, final boolean truth) {
            super(target);
            this.operand = operand;
            this.truth = truth;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            target().set(Comparing.condition(operand) == Truth.of(truth));
        }
    }

    static final class Not extends Instruction {
        private final Register operand;

        Not(final Register target, final Register operand) {
            super(target);
            this.operand = operand;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            target().setTruth(-Comparing.condition(operand));
        }
    }

    /** AND or OR of conditions' values. */
    static final class Junction extends Instruction {
        private final boolean isAnd;
        private final Register[] operands;

        Junction(final Register target, final boolean isAnd, final Register[] operands) {
            super(target);
            this.isAnd = isAnd;
            this.operands = operands;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            int truth = isAnd ? Truth.TRUE : Truth.FALSE;
            for (final Register operand : operands) {
                final int condition = Comparing.condition(operand);
                truth = isAnd ? Math.min(truth, condition) : Math.max(truth, condition);
            }
            target().setTruth(truth);
        }
    }

    /** A test of a value against what is fixed. */
    static final class Test extends Instruction {
        private final Register operand;
        private final ValueTest test;

        Test(final Register target, final Register operand, final ValueTest test) {
            super(target);
            this.operand = operand;
            this.test = test;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            target().setTruth(evaluation.any(operand, test));
        }
    }

    /** A test of a value against others, of which one has to pass: a comparison, or IN. */
    static final class AnyOf extends Instruction {
        private final PairTest test;
        private final Register left;
        private final Register[] rights;

        AnyOf(final Register target, final PairTest test, final Register left, final Register... rights) {
            super(target);
            this.test = test;
            this.left = left;
            this.rights = rights;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            int truth = Truth.FALSE;
            for (int i = 0; i < rights.length && truth != Truth.TRUE; i++) {
                truth = Math.max(truth, evaluation.any(test, left, rights[i]));
            }
            target().setTruth(truth);
        }
    }

    /** The bounds are values like arguments: of an array the first element. */
    static final class Between extends Instruction {
        private final Register operand;
        private final RangeTest test;

        Between(final Register target, final Register operand, final RangeTest test) {
            super(target);
            this.operand = operand;
            this.test = test;
        }

        @Override
        public void execute(final Evaluation evaluation) {
            evaluation.makeScalar(test.low());
            evaluation.makeScalar(test.high());
            target().setTruth(evaluation.any(operand, test));
        }
    }
}
