package io.penstock.broker.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.join.QueryJoin;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import org.jspecify.annotations.Nullable;

/**
 * What a query asks for: filter, then blocks of rows, then order and selection. Immutable.
 *
 * @param asked     which records, or pairs of records.
 * @param orderBy   of the answer, or null for none.
 * @param excerpt   which records of the answer are sent.
 * @param selection fields of the records, or null for whole ones.
 * @param select    expressions and aggregates instead of records, or null.
 * @param having    text of a condition on the rows of an aggregate; empty for all.
 * @param timeoutNs after which the query is given up, in nanoseconds.
 * @param found     what is asked for of the records that are found.
 */
public record QueryPlan(
        Asked asked,
        @Nullable OrderBy orderBy,
        Excerpt excerpt,
        @Nullable FieldSelection selection,
        @Nullable SelectList select,
        String having,
        long timeoutNs,
        Found found) {
    /**
     * What is looked at, and what of it is wanted.
     *
     * @param filter text of a condition in canonical form, on pairs if there is a join; empty for everything.
     * @param join   that makes pairs of records; null for records of each topic alone.
     */
    public record Asked(String filter, @Nullable QueryJoin join) {}

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
     * A plan without a join.
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
    public QueryPlan(
            final String filter,
            final @Nullable OrderBy orderBy,
            final Excerpt excerpt,
            final @Nullable FieldSelection selection,
            final @Nullable SelectList select,
            final String having,
            final long timeoutNs,
            final Found found) {
        this(new Asked(filter, null), orderBy, excerpt, selection, select, having, timeoutNs, found);
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
        return new QueryPlan(asked, orderBy, excerpt, selection, select, having, timeoutNs, Found.ROWS_IN_DOUBT);
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
        return new QueryPlan(asked, orderBy, excerpt, selection, select, having, remainingNs, found);
    }

    /** Text of the condition in canonical form; empty for everything. */
    public String filter() {
        return asked.filter();
    }

    /** What makes pairs of records; null for records of each topic alone. */
    public @Nullable QueryJoin join() {
        return asked.join();
    }

    /**
     * The same plan for pairs of records.
     *
     * @param of what makes them.
     * @return the plan.
     * @throws IllegalArgumentException when it has no select list, or names a field of neither topic.
     */
    public QueryPlan joined(final QueryJoin of) {
        if (select == null || select.names().isEmpty()) {
            throw new IllegalArgumentException("join: what of the pairs is not said (give a select list)");
        }
        final QueryPlan made =
                new QueryPlan(new Asked(filter(), of), orderBy, excerpt, selection, select, having, timeoutNs, found);
        of.check(made.fields());
        return made;
    }

    /** What is asked of the records of one of the topics, before there are pairs: all of them. */
    QueryPlan ofSide() {
        return new QueryPlan("", null, Excerpt.ALL, null, null, "", timeoutNs, found);
    }

    /**
     * The fields of a topic's records that the answer depends on, beside those that are sent with whole records.
     *
     * @param isRight whether the right topic of a join is meant.
     * @return a new set.
     */
    public FieldSet fields(final boolean isRight) {
        final QueryJoin join = join();
        return join == null ? fields() : join.fieldsOf(fields(), isRight);
    }

    /**
     * The fields of records that the answer depends on, beside those that are sent with whole records; of a join those of pairs.
     * What the select list of an aggregate computes is none of them, whatever it is called.
     *
     * @return a new set.
     */
    public FieldSet fields() {
        final FieldSet fields = new FieldSet();
        if (!filter().isEmpty()) {
            FilterCompiler.compile(filter(), fields, FilterLimits.COMBINED);
        }
        final FieldSet ofAnswer = fieldsOfAnswer();
        for (int slot = 0; slot < ofAnswer.count(); slot++) {
            if (!isComputed(ofAnswer.path(slot))) {
                fields.slotOf(ofAnswer.path(slot));
            }
        }
        if (select != null) {
            fields.slotsOf(select.fields());
        }
        if (selection != null) {
            selection.paths().forEach(fields::slotOf);
        }
        return fields;
    }

    /** The fields that the answer is sorted by and groups are left out by. */
    private FieldSet fieldsOfAnswer() {
        final FieldSet fields = new FieldSet();
        if (!having.isEmpty()) {
            FilterCompiler.compile(having, fields, FilterLimits.COMBINED);
        }
        if (orderBy != null) {
            fields.slotsOf(orderBy.fields());
        }
        return fields;
    }

    /** Whether a field of the answer is not one of records. The rows of groups of pairs have no topic's name in their fields. */
    private boolean isComputed(final FieldPath path) {
        return select != null
                && isAggregate()
                && (join() != null
                        || (!path.isHeader()
                                && select.names().contains(path.steps().get(0).name())));
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
        return join() == null && select != null && select.countsOnly();
    }

    /** Whether several agents may send records as they find them. */
    boolean isParallel() {
        return isCollected() || (skipN() == 0 && topN() < 0);
    }

    /** Whether nothing more is looked at once {@link #limit()} records are found. */
    public boolean endsEarly() {
        return !isCollected() && topN() >= 0;
    }

    /** How many records are worth finding, with those that are left out first; of groups and orders, worth keeping. */
    public long limit() {
        return topN() < 0 ? Long.MAX_VALUE : (long) skipN() + topN();
    }
}
