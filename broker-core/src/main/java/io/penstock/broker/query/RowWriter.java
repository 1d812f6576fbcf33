package io.penstock.broker.query;

import io.penstock.broker.filter.SelectSyntax;
import io.penstock.format.MessageFormat;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/** Writes the row of a select list for one group at a time. */
final class RowWriter implements GroupRow {
    private final int groupCount;
    private final AggregatePlan plan;
    private final RowReader row;
    private final ItemWriter items;
    private @Nullable Group group;

    RowWriter(final SelectSyntax syntax, final AggregatePlan plan, final MessageFormat format) {
        this.groupCount = syntax.groupCount();
        this.plan = plan;
        this.row = new RowReader(groupCount + plan.aggregateCount());
        this.items = new ItemWriter(syntax, syntax.rowFields(), format);
    }

    /** Hands a group to a consumer. */
    void hand(final Group handed, final Aggregation.GroupConsumer consumer) {
        group = handed;
        consumer.onGroup(handed.key(), 0, handed.key().capacity(), handed.messageCount(), this);
        group = null;
    }

    @Override
    public int write(final MutableDirectBuffer to, final int offset, final int length) {
        final Group written = group;
        if (written == null) {
            throw new IllegalStateException("row: written after its group was handed over");
        }
        int at = 0;
        for (int i = 0; i < groupCount; i++) {
            at = GroupKey.read(written.key(), at, row.value(i));
        }
        for (int i = 0; i < plan.aggregateCount(); i++) {
            plan.result(written, i, row.value(groupCount + i));
        }
        return items.write(row, to, offset, length);
    }
}
