package io.penstock.client;

/**
 * What to subscribe to. Immutable; made by {@link #topic} or {@link #pattern} and narrowed from there.
 *
 * @param topic        a topic's name, or a regular expression that is matched against whole names.
 * @param isPattern    whether the topic is a regular expression.
 * @param filter       a condition on the fields of the message; empty = everything.
 * @param isSow        whether the state comes first.
 * @param isOof        whether to be told of records that no longer match.
 * @param isDelta      whether only changed fields of known records are sent.
 * @param noEmpties    whether fields that became null or empty are left out.
 * @param select       fields to be sent; empty = all.
 * @param conflationMs longest time between two deliveries of one record's changes; 0 = each change.
 * @param orderBy      of the state; empty = none.
 * @param topN         most records of the state; -1 = all.
 * @param skipN        records of the state left out first.
 * @param batchSize    most records of the state in one frame; 0 = the broker's choice.
 */
public record SubscribeRequest(
        String topic,
        boolean isPattern,
        String filter,
        boolean isSow,
        boolean isOof,
        boolean isDelta,
        boolean noEmpties,
        String select,
        int conflationMs,
        String orderBy,
        int topN,
        int skipN,
        int batchSize) {
    public SubscribeRequest {
        if (topic.isEmpty()) {
            throw new IllegalArgumentException("subscribe: topic is empty (name one, or use a pattern such as '.*')");
        }
    }

    /**
     * All messages of one topic.
     *
     * @param topic its name.
     * @return a request, to be narrowed by {@link #filter(String)}.
     */
    public static SubscribeRequest topic(final String topic) {
        return new SubscribeRequest(topic, false, "", false, false, false, false, "", 0, "", -1, 0, 0);
    }

    /**
     * All messages of all topics, present and future, whose whole names match.
     *
     * @param pattern a regular expression of RE2's syntax, for example {@code orders\..*}.
     * @return a request, to be narrowed by {@link #filter(String)}.
     */
    public static SubscribeRequest pattern(final String pattern) {
        return new SubscribeRequest(pattern, true, "", false, false, false, false, "", 0, "", -1, 0, 0);
    }

    /**
     * Narrows to messages that satisfy a condition.
     *
     * @param condition for example {@code price > 10 AND symbol LIKE 'A%'}; empty = everything.
     * @return the same request with this filter.
     */
    public SubscribeRequest filter(final String condition) {
        return new SubscribeRequest(
                topic,
                isPattern,
                condition,
                isSow,
                isOof,
                isDelta,
                noEmpties,
                select,
                conflationMs,
                orderBy,
                topN,
                skipN,
                batchSize);
    }

    /**
     * Asks for the state first, and for every change from there.
     *
     * @return the same request with the state.
     */
    public SubscribeRequest sow() {
        return new SubscribeRequest(
                topic,
                isPattern,
                filter,
                true,
                isOof,
                isDelta,
                noEmpties,
                select,
                conflationMs,
                orderBy,
                topN,
                skipN,
                batchSize);
    }

    /**
     * Asks to be told of records that no longer match, were deleted or have expired.
     *
     * @return the same request with that.
     */
    public SubscribeRequest oof() {
        return new SubscribeRequest(
                topic,
                isPattern,
                filter,
                isSow,
                true,
                isDelta,
                noEmpties,
                select,
                conflationMs,
                orderBy,
                topN,
                skipN,
                batchSize);
    }

    /**
     * Asks for the key and the changed fields only, of records that were delivered before.
     *
     * @param withoutEmpties whether fields that became null or empty are left out.
     * @return the same request with that.
     */
    public SubscribeRequest delta(final boolean withoutEmpties) {
        return new SubscribeRequest(
                topic,
                isPattern,
                filter,
                isSow,
                isOof,
                true,
                withoutEmpties,
                select,
                conflationMs,
                orderBy,
                topN,
                skipN,
                batchSize);
    }

    /**
     * Asks for some fields only; the key comes with them.
     *
     * @param fields for example {@code price, /order/qty}.
     * @return the same request with that.
     */
    public SubscribeRequest select(final String fields) {
        return new SubscribeRequest(
                topic,
                isPattern,
                filter,
                isSow,
                isOof,
                isDelta,
                noEmpties,
                fields,
                conflationMs,
                orderBy,
                topN,
                skipN,
                batchSize);
    }

    /**
     * Asks for what has changed of each record at most once in an interval.
     *
     * @param intervalMs in milliseconds.
     * @return the same request with that.
     */
    public SubscribeRequest conflation(final int intervalMs) {
        return new SubscribeRequest(
                topic,
                isPattern,
                filter,
                isSow,
                isOof,
                isDelta,
                noEmpties,
                select,
                intervalMs,
                orderBy,
                topN,
                skipN,
                batchSize);
    }

    /**
     * Says in which order and how many of the records the state comes; needs {@link #sow()}.
     *
     * @param order for example {@code price DESC, symbol}; empty = none.
     * @param top   most records; -1 = all.
     * @param skip  records left out first.
     * @return the same request with that.
     */
    public SubscribeRequest state(final String order, final int top, final int skip) {
        return new SubscribeRequest(
                topic,
                isPattern,
                filter,
                isSow,
                isOof,
                isDelta,
                noEmpties,
                select,
                conflationMs,
                order,
                top,
                skip,
                batchSize);
    }
}
