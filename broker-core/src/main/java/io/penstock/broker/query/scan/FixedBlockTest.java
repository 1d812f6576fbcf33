package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.BlockColumns;
import java.util.Arrays;

/** The same answer for all rows: the condition holds, it does not, or columns do not know. */
final class FixedBlockTest extends BlockTest {
    private final Answer answer;

    /** What it says of every row. */
    enum Answer {
        HELD,
        NOT_HELD,
        UNKNOWN
    }

    FixedBlockTest(final Answer answer) {
        this.answer = answer;
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
    int cost() {
        return answer == Answer.UNKNOWN ? Integer.MAX_VALUE : 0;
    }
}
