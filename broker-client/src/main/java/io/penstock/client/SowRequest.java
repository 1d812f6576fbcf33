package io.penstock.client;

import java.util.List;

/**
 * A query of state. Immutable; made by {@link #topic} or {@link #pattern} and narrowed from there.
 *
 * @param topic     a topic's name, or a regular expression that is matched against whole names.
 * @param isPattern whether the topic is a regular expression.
 * @param filter    a condition on the fields of the record; empty = everything.
 * @param orderBy   for example {@code price DESC, symbol NULLS FIRST}; empty = no order.
 * @param select    fields, expressions and aggregates, for example {@code origin, COUNT(*), AVG(delay)}; empty = whole
 *                  records.
 * @param groupBy   of an aggregate.
 * @param having    a condition on the rows of an aggregate; empty = all.
 * @param topN      most records; -1 = all.
 * @param skipN     records left out first.
 * @param batchSize most records in one frame; 0 = the broker's choice.
 * @param timeoutMs the broker gives the query up after this; 0 = its limit.
 * @param keys      only these records: messages with the key fields, or keys where publishers give them; empty = all.
 */
public record SowRequest(
        String topic,
        boolean isPattern,
        String filter,
        String orderBy,
        String select,
        String groupBy,
        String having,
        int topN,
        int skipN,
        int batchSize,
        int timeoutMs,
        List<String> keys) {
    public SowRequest {
        if (topic.isEmpty()) {
            throw new IllegalArgumentException("sow: topic is empty (name one, or use a pattern such as '.*')");
        }
        keys = List.copyOf(keys);
    }

    /**
     * All records of one topic.
     *
     * @param topic its name.
     * @return a request.
     */
    public static SowRequest topic(final String topic) {
        return new SowRequest(topic, false, "", "", "", "", "", -1, 0, 0, 0, List.of());
    }

    /**
     * All records of all topics whose whole names match.
     *
     * @param pattern a regular expression of RE2's syntax.
     * @return a request.
     */
    public static SowRequest pattern(final String pattern) {
        return new SowRequest(pattern, true, "", "", "", "", "", -1, 0, 0, 0, List.of());
    }

    /**
     * Narrows to records that satisfy a condition.
     *
     * @param condition for example {@code price > 10}; empty = everything.
     * @return the same request with this filter.
     */
    public SowRequest filter(final String condition) {
        return new SowRequest(
                topic, isPattern, condition, orderBy, select, groupBy, having, topN, skipN, batchSize, timeoutMs, keys);
    }

    /**
     * Says in which order the records come.
     *
     * @param order for example {@code price DESC, symbol NULLS FIRST}.
     * @return the same request with this order.
     */
    public SowRequest orderBy(final String order) {
        return new SowRequest(
                topic, isPattern, filter, order, select, groupBy, having, topN, skipN, batchSize, timeoutMs, keys);
    }

    /**
     * Says what comes of each record, or of each group of records.
     *
     * @param items for example {@code origin, COUNT(*), AVG(delay) AS mean}.
     * @return the same request with this selection.
     */
    public SowRequest select(final String items) {
        return new SowRequest(
                topic, isPattern, filter, orderBy, items, groupBy, having, topN, skipN, batchSize, timeoutMs, keys);
    }

    /**
     * Groups the records of an aggregate.
     *
     * @param items  for example {@code origin}.
     * @param filter on the rows, for example {@code mean > 10}; empty = all.
     * @return the same request with these groups.
     */
    public SowRequest groupBy(final String items, final String filter) {
        return new SowRequest(
                topic, isPattern, this.filter, orderBy, select, items, filter, topN, skipN, batchSize, timeoutMs, keys);
    }

    /**
     * Says how many records come.
     *
     * @param top  most records; -1 = all.
     * @param skip records left out first.
     * @return the same request with these bounds.
     */
    public SowRequest limit(final int top, final int skip) {
        return new SowRequest(
                topic, isPattern, filter, orderBy, select, groupBy, having, top, skip, batchSize, timeoutMs, keys);
    }

    /**
     * Says how many records come in one frame.
     *
     * @param size most records; 0 = the broker's choice.
     * @return the same request with this size.
     */
    public SowRequest batchSize(final int size) {
        return new SowRequest(
                topic, isPattern, filter, orderBy, select, groupBy, having, topN, skipN, size, timeoutMs, keys);
    }

    /**
     * Says how long the query may take.
     *
     * @param ms in milliseconds; 0 = the broker's limit.
     * @return the same request with this time.
     */
    public SowRequest timeout(final int ms) {
        return new SowRequest(
                topic, isPattern, filter, orderBy, select, groupBy, having, topN, skipN, batchSize, ms, keys);
    }

    /**
     * Narrows to records with some keys.
     *
     * @param wanted messages with the key fields, or keys where publishers give them; none has a line break in it.
     * @return the same request with these keys.
     */
    public SowRequest keys(final List<String> wanted) {
        return new SowRequest(
                topic, isPattern, filter, orderBy, select, groupBy, having, topN, skipN, batchSize, timeoutMs, wanted);
    }
}
