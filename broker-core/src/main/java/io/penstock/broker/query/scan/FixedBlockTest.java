package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.explain.PlanNode;
import java.util.Arrays;

/** The same answer for all rows: the condition holds, it does not, or columns do not know. */
final class FixedBlockTest extends BlockTest {
    private final Answer answer;
    private final PlanNode description;

    /** What it says of every row. */
    enum Answer {
        HELD,
        NOT_HELD,
        UNKNOWN
    }

    FixedBlockTest(final Answer answer, final PlanNode description) {
        this.answer = answer;
        this.description = description;
    }

    @Override
    void evaluate(final BlockColumns block, final long[] candidates, final int from, final int to) {
        if (answer == Answer.HELD) {
            System.arraycopy(candidates, from, held, from, to - from);
        } else {
            Arrays.fill(held, from, to, 0);
        }
        if (answer == Answer.UNKNOWN) {
            System.arraycopy(candidates, from, unknown, from, to - from);
        } else {
            Arrays.fill(unknown, from, to, 0);
        }
    }

    @Override
    PlanNode describe() {
        return description;
    }

    @Override
    int cost() {
        return answer == Answer.UNKNOWN ? Integer.MAX_VALUE : 0;
    }
}
