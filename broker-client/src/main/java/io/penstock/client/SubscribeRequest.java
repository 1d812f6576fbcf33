package io.penstock.client;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A subscription to a topic or a pattern. Immutable: made by {@link #topic} or {@link #pattern}; each method that says more gives another
 * request.
 *
 * <pre>{@code
 * SubscribeRequest.topic("quotes").filter("price > 10").sow().delta()
 * }</pre>
 */
public final class SubscribeRequest {
    private final Values values;

    private SubscribeRequest(final Values values) {
        this.values = values;
    }

    /**
     * All messages of one topic.
     *
     * @param topic its name.
     * @return a request, to be narrowed by {@link #filter(String)}.
     */
    public static SubscribeRequest topic(final String topic) {
        return new SubscribeRequest(new Values(topic, false));
    }

    /**
     * All messages of all topics, present and future, whose whole names match.
     *
     * @param pattern a regular expression of RE2's syntax, for example {@code orders\..*}.
     * @return a request, to be narrowed by {@link #filter(String)}.
     */
    public static SubscribeRequest pattern(final String pattern) {
        return new SubscribeRequest(new Values(pattern, true));
    }

    /**
     * Narrows to messages that satisfy a condition.
     *
     * @param condition for example {@code price > 10 AND symbol LIKE 'A%'}; empty = everything.
     * @return the same request with this filter.
     */
    public SubscribeRequest filter(final String condition) {
        return with(next -> next.filter = condition);
    }

    /**
     * Asks for the state first, and for every change from there.
     *
     * @return the same request with the state.
     */
    public SubscribeRequest sow() {
        return with(next -> next.isSow = true);
    }

    /**
     * Asks to be notified of records that no longer match, were deleted or have expired.
     *
     * @return the same request with that.
     */
    public SubscribeRequest oof() {
        return with(next -> next.isOof = true);
    }

    /**
     * Asks for the key and the changed fields only, of records that were delivered before.
     *
     * @return the same request with that.
     */
    public SubscribeRequest delta() {
        return with(next -> next.isDelta = true);
    }

    /**
     * Leaves fields that are null or empty out of deltas and selections.
     *
     * @return the same request with that.
     */
    public SubscribeRequest withoutEmpties() {
        return with(next -> next.isWithoutEmpties = true);
    }

    /**
     * Asks for some fields only; the key comes with them.
     *
     * @param fields for example {@code price, /order/qty}.
     * @return the same request with that.
     */
    public SubscribeRequest select(final String fields) {
        return with(next -> next.select = fields);
    }

    /**
     * Asks for what has changed of each record at most once in an interval.
     *
     * @param interval of whole milliseconds; zero = each change.
     * @return the same request with that.
     */
    public SubscribeRequest conflation(final Duration interval) {
        return conflation(interval, "");
    }

    /**
     * Asks for the newest changed record of those with the same values of some fields, once in an interval.
     *
     * @param interval of whole milliseconds; zero = each change.
     * @param key      these fields, for example {@code symbol} or {@code venue, /order/symbol}; empty = the topic's key.
     * @return the same request with that.
     */
    public SubscribeRequest conflation(final Duration interval, final String key) {
        final int intervalMs = Millis.of("subscribe: conflation", interval);
        return with(next -> {
            next.conflationMs = intervalMs;
            next.conflationKey = key;
        });
    }

    /**
     * Says in which order the records of the state come; needs {@link #sow()}.
     *
     * @param order for example {@code price DESC, symbol NULLS FIRST}; empty = none.
     * @return the same request with this order.
     */
    public SubscribeRequest orderBy(final String order) {
        return with(next -> next.orderBy = order);
    }

    /**
     * Says how many records of the state come; needs {@link #sow()}.
     *
     * @param count most records; -1 = all.
     * @return the same request with this bound.
     */
    public SubscribeRequest top(final int count) {
        return with(next -> next.top = count);
    }

    /**
     * Says how many records of the state are left out first; needs {@link #sow()}.
     *
     * @param count records left out.
     * @return the same request with that.
     */
    public SubscribeRequest skip(final int count) {
        return with(next -> next.skip = count);
    }

    /**
     * Says how many records of the state come in one frame; needs {@link #sow()}.
     *
     * @param size most records; 0 = the broker's choice.
     * @return the same request with this size.
     */
    public SubscribeRequest batchSize(final int size) {
        return with(next -> next.batchSize = size);
    }

    /**
     * Asks for the state only once all of it is on stable storage; needs {@link #sow()}. Changes after it come at once, as
     * without.
     *
     * @return the same request with that.
     */
    public SubscribeRequest durable() {
        return with(next -> next.isDurable = true);
    }

    /**
     * Has the broker deliver only as much as there is credit for: what the program is not ready for stays there, and does
     * not hold up what comes on the same connection. Not for requests that follow state.
     *
     * @param length of the messages that may come at first, as {@link MessageView#creditLength()} counts them; more is given
     *               by {@link Subscription#credit(long)}. 0 = all messages come as fast as they can.
     * @return the same request with that.
     */
    public SubscribeRequest credit(final long length) {
        return with(next -> next.credit = ReplayRequest.checkedCredit(length));
    }

    /**
     * A topic's name, or a regular expression that is matched against whole names.
     *
     * @return text, not empty.
     */
    public String topic() {
        return values.topic;
    }

    public boolean isPattern() {
        return values.isPattern;
    }

    /**
     * The condition on the fields of the message.
     *
     * @return text; empty = everything.
     */
    public String filter() {
        return values.filter;
    }

    public boolean isSow() {
        return values.isSow;
    }

    public boolean isDurable() {
        return values.isDurable;
    }

    public boolean isOof() {
        return values.isOof;
    }

    public boolean isDelta() {
        return values.isDelta;
    }

    public boolean isWithoutEmpties() {
        return values.isWithoutEmpties;
    }

    /**
     * The fields to be sent.
     *
     * @return paths; empty = all.
     */
    public String select() {
        return values.select;
    }

    /**
     * The interval of conflation.
     *
     * @return in milliseconds; 0 = each change.
     */
    public int conflationMs() {
        return values.conflationMs;
    }

    /**
     * The fields by whose values changed records are merged.
     *
     * @return paths; empty = the topic's key.
     */
    public String conflationKey() {
        return values.conflationKey;
    }

    /**
     * The order of the state.
     *
     * @return fields; empty = none.
     */
    public String orderBy() {
        return values.orderBy;
    }

    /**
     * The most records of the state.
     *
     * @return count; -1 = all.
     */
    public int top() {
        return values.top;
    }

    /**
     * How many records of the state are left out first.
     *
     * @return count.
     */
    public int skip() {
        return values.skip;
    }

    /**
     * The most records of the state in one frame.
     *
     * @return count; 0 = the broker's choice.
     */
    public int batchSize() {
        return values.batchSize;
    }

    /**
     * How much comes at first.
     *
     * @return length in bytes; 0 = there is no need of credit.
     */
    public long credit() {
        return values.credit;
    }

    /** Whether brokers deliver it by credit: what follows state comes as it changes. */
    boolean takesCredit() {
        return !(values.isSow
                || values.isOof
                || values.isDelta
                || values.isWithoutEmpties
                || values.conflationMs > 0
                || !values.select.isEmpty());
    }

    /** Returns what the request says, for people. */
    @Override
    public String toString() {
        return (values.isPattern ? "pattern " : "")
                + values.topic
                + (values.filter.isEmpty() ? "" : " where " + values.filter)
                + (values.isSow ? ", state first by '" + values.orderBy + "' " + values.skip + "+" + values.top : "")
                + (values.isDurable ? ", durable" : "")
                + (values.isOof ? ", out of focus" : "")
                + (values.isDelta ? ", deltas" : "")
                + (values.isWithoutEmpties ? " without empties" : "")
                + (values.select.isEmpty() ? "" : ", fields " + values.select)
                + (values.conflationMs == 0 ? "" : ", each " + values.conflationMs + " ms " + values.conflationKey)
                + (values.credit == 0 ? "" : ", credit " + values.credit);
    }

    private SubscribeRequest with(final Consumer<Values> change) {
        final Values next = new Values(values);
        change.accept(next);
        return new SubscribeRequest(next);
    }

    /** The values of a request; not changed once a request has them. */
    private static final class Values {
        private final String topic;
        private final boolean isPattern;
        private String filter = "";
        private boolean isSow;
        private boolean isDurable;
        private boolean isOof;
        private boolean isDelta;
        private boolean isWithoutEmpties;
        private String select = "";
        private int conflationMs;
        private String conflationKey = "";
        private String orderBy = "";
        private int top = -1;
        private int skip;
        private int batchSize;
        private long credit;

        Values(final String topic, final boolean isPattern) {
            if (topic.isEmpty()) {
                throw new IllegalArgumentException(
                        "subscribe: topic is empty (name one, or use a pattern such as '.*')");
            }
            this.topic = topic;
            this.isPattern = isPattern;
        }

        Values(final Values other) {
            topic = other.topic;
            isPattern = other.isPattern;
            filter = other.filter;
            isSow = other.isSow;
            isDurable = other.isDurable;
            isOof = other.isOof;
            isDelta = other.isDelta;
            isWithoutEmpties = other.isWithoutEmpties;
            select = other.select;
            conflationMs = other.conflationMs;
            conflationKey = other.conflationKey;
            orderBy = other.orderBy;
            top = other.top;
            skip = other.skip;
            batchSize = other.batchSize;
            credit = other.credit;
        }
    }
}
