package io.penstock.broker.filter.program;

import io.penstock.broker.filter.condition.Literals;
import io.penstock.broker.filter.syntax.ConstantFolder;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.syntax.NodeVisitor;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.broker.filter.value.RangeTest;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.ValueKind;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.EpochClock;

/** Turns expressions into instructions, one register to each piece of the tree. */
public final class ExpressionBuilder implements NodeVisitor<Register> {
    private final FieldSet fields;
    private final FunctionBodies bodies;
    private final Work work;
    private List<Instruction> instructions = new ArrayList<>();

    /**
     * Builds nothing so far.
     *
     * @param fields the set that the fields it reads are added to.
     * @param clock  read by functions of the current time.
     * @param work   of the evaluations.
     */
    public ExpressionBuilder(final FieldSet fields, final EpochClock clock, final Work work) {
        this.fields = fields;
        this.work = work;
        this.bodies = new FunctionBodies(clock);
    }

    /** The instructions since the last call. */
    public List<Instruction> takeInstructions() {
        final List<Instruction> taken = instructions;
        instructions = new ArrayList<>();
        return taken;
    }

    /** Computes a value. */
    public Register value(final Node node) {
        return node.accept(this);
    }

    private Register[] values(final List<Node> nodes) {
        return nodes.stream().map(this::value).toArray(Register[]::new);
    }

    /** Computes a condition: true, false, or NULL for unknown. */
    Register condition(final Node node) {
        final Register value = value(node);
        final boolean isCondition = !(node instanceof Node.Field || node instanceof Node.Call);
        return isCondition ? value : emit(new Instructions.Condition(new Register(), value));
    }

    private Register[] conditions(final List<Node> nodes) {
        return nodes.stream().map(this::condition).toArray(Register[]::new);
    }

    private Register emit(final Instruction instruction) {
        instructions.add(instruction);
        return instruction.target();
    }

    /** Conditions that hold a value against literals have a test made for them, wherever the value comes from. */
    private Register fixed(final Node node, final Node operand) {
        return emit(new Instructions.Test(new Register(), value(operand), FixedTests.test(node, work)));
    }

    @Override
    public Register onBoolean(final Node.BooleanLiteral node) {
        return ConstantFolder.constant(node);
    }

    @Override
    public Register onLong(final Node.LongLiteral node) {
        return ConstantFolder.constant(node);
    }

    @Override
    public Register onDouble(final Node.DoubleLiteral node) {
        return ConstantFolder.constant(node);
    }

    @Override
    public Register onText(final Node.TextLiteral node) {
        return ConstantFolder.constant(node);
    }

    @Override
    public Register onField(final Node.Field node) {
        return emit(new Instructions.Load(new Register(), fields.slotOf(node.path())));
    }

    @Override
    public Register onSign(final Node.Sign node) {
        return emit(new Instructions.Sign(new Register(), node.isMinus(), value(node.operand())));
    }

    @Override
    public Register onArithmetic(final Node.Arithmetic node) {
        return emit(
                new Instructions.Arithmetic(new Register(), node.operator(), value(node.left()), value(node.right())));
    }

    @Override
    public Register onComparison(final Node.Comparison node) {
        if (Literals.tested(node) != null) {
            return fixed(node, node.left());
        }
        final Register left = value(node.left());
        return emit(new Instructions.AnyOf(new Register(), node.operator(), left, value(node.right())));
    }

    @Override
    public Register onBetween(final Node.Between node) {
        if (Literals.tested(node) != null) {
            return fixed(node, node.operand());
        }
        final Register operand = value(node.operand());
        final RangeTest test = new RangeTest(value(node.low()), value(node.high()));
        return emit(new Instructions.Between(new Register(), operand, test));
    }

    @Override
    public Register onIn(final Node.In node) {
        if (Literals.tested(node) != null) {
            return fixed(node, node.operand());
        }
        final Register operand = value(node.operand());
        return emit(new Instructions.AnyOf(new Register(), ComparisonOperator.EQUAL, operand, values(node.items())));
    }

    @Override
    public Register onLike(final Node.Like node) {
        return fixed(node, node.operand());
    }

    @Override
    public Register onLikeRegex(final Node.LikeRegex node) {
        return fixed(node, node.operand());
    }

    @Override
    public Register onAffix(final Node.Affix node) {
        if (Literals.tested(node) != null) {
            return fixed(node, node.operand());
        }
        final Register operand = value(node.operand());
        return emit(new Instructions.AnyOf(new Register(), node.operator(), operand, values(node.items())));
    }

    @Override
    public Register onIsNull(final Node.IsNull node) {
        return emit(new Instructions.IsNull(new Register(), value(node.operand())));
    }

    @Override
    public Register onIsTruth(final Node.IsTruth node) {
        return emit(new Instructions.IsTruth(new Register(), condition(node.operand()), node.truth()));
    }

    @Override
    public Register onNot(final Node.Not node) {
        return emit(new Instructions.Not(new Register(), condition(node.operand())));
    }

    @Override
    public Register onAnd(final Node.And node) {
        return emit(new Instructions.Junction(new Register(), true, conditions(node.operands())));
    }

    @Override
    public Register onOr(final Node.Or node) {
        return emit(new Instructions.Junction(new Register(), false, conditions(node.operands())));
    }

    @Override
    public Register onCall(final Node.Call node) {
        final Register[] arguments = new Register[node.arguments().size()];
        for (int i = 0; i < arguments.length; i++) {
            final Node argument = node.arguments().get(i);
            final boolean isCondition = node.function().argument(i) == ValueKind.CONDITION;
            arguments[i] = isCondition ? condition(argument) : value(argument);
        }
        return emit(new FunctionCall(new Register(), node.function(), bodies.of(node.function()), arguments));
    }

    @Override
    public Register onAggregate(final Node.Aggregate node) {
        throw new IllegalArgumentException("not of one message: " + node);
    }
}
