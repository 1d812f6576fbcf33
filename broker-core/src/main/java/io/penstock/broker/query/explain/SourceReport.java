package io.penstock.broker.query.explain;

import io.penstock.broker.filter.condition.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query has done with one topic: by one worker, or brought together. Written by a query agent until its worker is done;
 * read by others after that.
 */
public final class SourceReport {
    private final List<ColumnUse> columns = new ArrayList<>();
    private @Nullable Condition limitCondition;
    private @Nullable Condition filterCondition;
    private @Nullable String whyNoColumns;
    private @Nullable PlanNode filter;
    private long blockCount;
    private long blocksByColumns;
    private long blocksPassed;
    private long collected;
    private long looked;
    private long matched;
    private long read;

    /**
     * A column that was looked at.
     *
     * @param field  path of it.
     * @param kinds  of the values in the blocks that were looked at, for people.
     * @param length of its memory, in bytes.
     * @param texts  different ones of all rows.
     */
    public record ColumnUse(String field, String kinds, long length, int texts) {}

    /** A block of rows comes. */
    void onBlock() {
        blockCount++;
    }

    /** Some rows were looked at. */
    void onRows(final long lookedCount, final long matchedCount, final long readCount) {
        looked += lookedCount;
        matched += matchedCount;
        read += readCount;
    }

    /**
     * What rows had to satisfy.
     *
     * @param ofPermissions of the client; null for none.
     * @param ofQuery       null for none.
     */
    public void conditions(final @Nullable Condition ofPermissions, final @Nullable Condition ofQuery) {
        limitCondition = ofPermissions;
        filterCondition = ofQuery;
    }

    /** No columns were looked at. */
    public void withoutColumns(final String why) {
        whyNoColumns = why;
    }

    /**
     * Columns were looked at.
     *
     * @param ofQuery how the condition of the query was tested; null when there is none, or by the filter alone.
     * @param count   blocks whose columns were there.
     * @param passed  of these, such in which no row is of interest by what is known of the whole block.
     */
    public void byColumns(final @Nullable PlanNode ofQuery, final long count, final long passed) {
        filter = ofQuery;
        blocksByColumns = count;
        blocksPassed = passed;
    }

    /** So many records were taken into groups or put in order by columns. */
    public void collected(final long count) {
        collected = count;
    }

    /** A column was looked at. */
    public void column(final ColumnUse use) {
        columns.add(use);
    }

    /** Adds what another worker has done with the same topic. */
    public void add(final SourceReport other) {
        if (blockCount == 0 || other.whyNoColumns == null) {
            whyNoColumns = other.whyNoColumns;
        }
        filter = merged(filter, other.filter);
        blockCount += other.blockCount;
        blocksByColumns += other.blocksByColumns;
        blocksPassed += other.blocksPassed;
        collected += other.collected;
        onRows(other.looked, other.matched, other.read);
        for (final ColumnUse use : other.columns) {
            if (columns.stream().noneMatch(each -> each.field().equals(use.field()))) {
                columns.add(use);
            }
        }
    }

    /** The order is that of the one who has looked at more blocks. */
    private static @Nullable PlanNode merged(final @Nullable PlanNode one, final @Nullable PlanNode other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        final boolean isOther = other.blockCount() > one.blockCount();
        final PlanNode to = isOther ? other : one;
        to.add(isOther ? one : other);
        return to;
    }

    /** How many records were looked at and matched, for people. */
    public String counts() {
        return "looked at " + looked + " records, " + matched + " matched";
    }

    /** How many records matched. */
    public long matched() {
        return matched;
    }

    /**
     * Writes it for somebody who sees all records.
     *
     * @param rowCount of the topic, some of which may hold no record any more.
     */
    public void writeAll(final ExplanationText to, final String name, final long rowCount) {
        to.line(0, name + ": " + rowCount + " rows, " + counts() + ", read " + read);
        if (blockCount == 0) {
            to.line(1, "rows: none were looked at");
        } else if (whyNoColumns == null && blocksByColumns == 0) {
            to.line(1, "rows: by records (columns have no memory, or others had them)");
        } else if (whyNoColumns != null) {
            to.line(1, "rows: by records (" + whyNoColumns + ")");
        } else {
            to.line(
                    1,
                    "rows: " + blocksByColumns + " of " + blockCount + " blocks by columns, " + blocksPassed
                            + " passed over by what is known of the block");
        }
        if (collected > 0) {
            to.line(1, "groups or order: " + collected + " records by columns");
        }
        writeFilter(to, "filter, in this order:", filter, whyNoColumns == null ? "records are read" : whyNoColumns);
        for (final ColumnUse use : columns) {
            to.line(
                    1,
                    "column " + use.field() + ": " + (use.kinds().isEmpty() ? "" : use.kinds() + ", ") + use.length()
                            + " bytes" + (use.texts() == 0 ? "" : ", " + use.texts() + " texts"));
        }
    }

    /**
     * Writes it for somebody who does not see all records, or not all of them: nothing in it tells how many others there are.
     *
     * @param title            the first line: the topic's name, and counts that the reader may know.
     * @param isConditionShown whether the reader may see the condition by the permissions.
     * @param whyNotByColumns  a reason that does not depend on the records, or null.
     */
    public void writeVisible(
            final ExplanationText to,
            final String title,
            final boolean isConditionShown,
            final @Nullable String whyNotByColumns) {
        to.line(0, title);
        final Condition hidden = limitCondition;
        if (hidden != null) {
            to.line(1, "before: a condition of your permissions");
            if (isConditionShown) {
                PlanNode.of(hidden, whyNotByColumns).write(to, 2);
            }
        }
        writeFilter(to, "filter:", null, whyNotByColumns);
    }

    private void writeFilter(
            final ExplanationText to,
            final String title,
            final @Nullable PlanNode known,
            final @Nullable String whyNotByColumns) {
        final Condition asked = filterCondition;
        if (known == null && asked == null) {
            to.line(1, "filter: none");
            return;
        }
        to.line(1, title);
        if (known != null) {
            known.write(to, 2);
        } else if (asked != null) {
            PlanNode.of(asked, whyNotByColumns).write(to, 2);
        }
    }
}
