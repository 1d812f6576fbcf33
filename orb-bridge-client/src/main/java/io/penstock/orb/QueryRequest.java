package io.penstock.orb;

import java.io.Serializable;

/** A query of state. Immutable; each method that says more gives another request. */
public final class QueryRequest implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final boolean isPattern;
    private final String filter;
    private final String select;
    private final String groupBy;
    private final String having;
    private final String orderBy;
    private final int top;
    private final int skip;

    /**
     * All records of one topic.
     *
     * @param topic its name.
     * @return a request, to be narrowed.
     */
    public static QueryRequest topic(final String topic) {
        return new QueryRequest(topic, false, "", "", "", "", "", -1, 0);
    }

    /**
     * All records of all topics whose whole names match.
     *
     * @param pattern a regular expression of RE2's syntax.
     * @return a request, to be narrowed.
     */
    public static QueryRequest pattern(final String pattern) {
        return new QueryRequest(pattern, true, "", "", "", "", "", -1, 0);
    }

    private QueryRequest(
            final String topic,
            final boolean isPattern,
            final String filter,
            final String select,
            final String groupBy,
            final String having,
            final String orderBy,
            final int top,
            final int skip) {
        this.topic = topic;
        this.isPattern = isPattern;
        this.filter = filter;
        this.select = select;
        this.groupBy = groupBy;
        this.having = having;
        this.orderBy = orderBy;
        this.top = top;
        this.skip = skip;
    }

    /**
     * Narrows to records that satisfy a condition.
     *
     * @param condition for example {@code price > 10}; empty = everything.
     * @return the same with that.
     */
    public QueryRequest filter(final String condition) {
        return new QueryRequest(topic, isPattern, condition, select, groupBy, having, orderBy, top, skip);
    }

    /**
     * Says what comes of each record, or of each group of records.
     *
     * @param items for example {@code origin, COUNT(*)}; empty = whole records.
     * @return the same with that.
     */
    public QueryRequest select(final String items) {
        return new QueryRequest(topic, isPattern, filter, items, groupBy, having, orderBy, top, skip);
    }

    /**
     * Groups the records of an aggregate.
     *
     * @param items     for example {@code origin}.
     * @param condition on the rows; empty = all.
     * @return the same with that.
     */
    public QueryRequest groupBy(final String items, final String condition) {
        return new QueryRequest(topic, isPattern, filter, select, items, condition, orderBy, top, skip);
    }

    /**
     * Says in which order the records come.
     *
     * @param order for example {@code price DESC}; empty = none.
     * @return the same with that.
     */
    public QueryRequest orderBy(final String order) {
        return new QueryRequest(topic, isPattern, filter, select, groupBy, having, order, top, skip);
    }

    /**
     * Says how many records come.
     *
     * @param newTop  most records; -1 = all.
     * @param newSkip records left out first.
     * @return the same with that.
     */
    public QueryRequest limit(final int newTop, final int newSkip) {
        return new QueryRequest(topic, isPattern, filter, select, groupBy, having, orderBy, newTop, newSkip);
    }

    /**
     * A topic's name, or a regular expression that is matched against whole names.
     *
     * @return text, not empty.
     */
    public String topic() {
        return topic;
    }

    public boolean isPattern() {
        return isPattern;
    }

    /**
     * The condition on the fields of the record.
     *
     * @return text; empty = everything.
     */
    public String filter() {
        return filter;
    }

    /**
     * The columns of each record or group.
     *
     * @return items; empty = whole records.
     */
    public String select() {
        return select;
    }

    public String groupBy() {
        return groupBy;
    }

    public String having() {
        return having;
    }

    /**
     * The order of the records.
     *
     * @return fields; empty = none.
     */
    public String orderBy() {
        return orderBy;
    }

    /**
     * The most records.
     *
     * @return count; -1 = all.
     */
    public int top() {
        return top;
    }

    public int skip() {
        return skip;
    }
}
