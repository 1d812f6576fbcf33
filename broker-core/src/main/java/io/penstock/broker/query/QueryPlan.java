package io.penstock.broker.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query asks for: filter, then blocks of rows, then order and selection. Immutable.
 *
 * @param filter    text of a condition in canonical form; empty for everything.
 * @param orderBy   of the answer, or null for none.
 * @param excerpt   which records of the answer are sent.
 * @param selection fields of the records, or null for whole ones.
 * @param select    expressions and aggregates instead of records, or null.
 * @param having    text of a condition on the rows of an aggregate; empty for all.
 * @param timeoutNs after which the query is given up, in nanoseconds.
 * @param found     what is asked for of the records that are found.
 */
public record QueryPlan(
        String filter,
        @Nullable OrderBy orderBy,
        Excerpt excerpt,
        @Nullable FieldSelection selection,
        @Nullable SelectList select,
        String having,
        long timeoutNs,
        Found found) {
    /** What is asked for of records. */
    public enum Found {
        /** What is in them. */
        RECORDS,

        /** Which rows they are in. */
        ROWS,

        /** The same, with those of which the filter takes more work than it may: more are found than there are. */
        ROWS_IN_DOUBT
    }

    /**
     * Which records of an answer are sent, and how many at a time.
     *
     * @param skipN     records left out first.
     * @param topN      most records returned; negative for all.
     * @param batchSize most records in one page; 0 for what fits.
     */
    public record Excerpt(int skipN, int topN, int batchSize) {
        /** All of them, as many in a page as fit. */
        public static final Excerpt ALL = new Excerpt(0, -1, 0);
    }

    /**
     * A plan that finds rows.
     *
     * @param filter    text of a condition in canonical form; empty for everything.
     * @param timeoutNs after which the query is given up, in nanoseconds.
     * @return the plan.
     */
    public static QueryPlan rows(final String filter, final long timeoutNs) {
        return new QueryPlan(filter, null, Excerpt.ALL, null, null, "", timeoutNs, Found.ROWS);
    }

    /** The same plan, which finds rows, with those of which the filter takes more work than it may. */
    public QueryPlan inDoubt() {
        return new QueryPlan(filter, orderBy, excerpt, selection, select, having, timeoutNs, Found.ROWS_IN_DOUBT);
    }

    /** Whether records are found, too, of which the filter takes more work than it may. */
    public boolean isInDoubt() {
        return found == Found.ROWS_IN_DOUBT;
    }

    /** Whether rows are asked for instead of what is in them. */
    public boolean rowsOnly() {
        return found != Found.RECORDS;
    }

    /**
     * The same plan with another time.
     *
     * @param remainingNs after which the query is given up, in nanoseconds.
     * @return the plan.
     */
    public QueryPlan within(final long remainingNs) {
        return new QueryPlan(filter, orderBy, excerpt, selection, select, having, remainingNs, found);
    }

    /**
     * The fields of records that the answer depends on, beside those that are sent with whole records.
     *
     * @return a new set.
     */
    public FieldSet fields() {
        final FieldSet fields = new FieldSet();
        for (final String condition : List.of(filter, having)) {
            if (!condition.isEmpty()) {
                FilterCompiler.compile(condition, fields, FilterLimits.COMBINED);
            }
        }
        if (orderBy != null) {
            fields.slotsOf(orderBy.fields());
        }
        if (select != null) {
            fields.slotsOf(select.fields());
        }
        if (selection != null) {
            selection.paths().forEach(fields::slotOf);
        }
        return fields;
    }

    int skipN() {
        return excerpt.skipN();
    }

    /** Negative for all. */
    int topN() {
        return excerpt.topN();
    }

    /** Whether records have to be brought together before the first is sent. */
    boolean isCollected() {
        return orderBy != null || isAggregate();
    }

    boolean isAggregate() {
        return select != null && select.isAggregate();
    }

    /** Whether nothing is asked for but how many records there are. */
    boolean countsOnly() {
        return select != null && select.countsOnly();
    }

    /** Whether several agents may send records as they find them. */
    boolean isParallel() {
        return isCollected() || (skipN() == 0 && topN() < 0);
    }

    /** How many records are worth keeping while they are brought together. */
    long limit() {
        return topN() < 0 ? Long.MAX_VALUE : (long) skipN() + topN();
    }
}
