package io.penstock.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * A query of state. Immutable: made by {@link #topic} or {@link #pattern}; each method that says more gives another
 * request.
 *
 * <pre>{@code
 * SowRequest.topic("quotes").filter("price > 10").orderBy("price DESC").top(10)
 * }</pre>
 */
public final class SowRequest {
    private final Values values;

    private SowRequest(final Values values) {
        this.values = values;
    }

    /**
     * All records of one topic.
     *
     * @param topic its name.
     * @return a request.
     */
    public static SowRequest topic(final String topic) {
        return new SowRequest(new Values(topic, false));
    }

    /**
     * All records of all topics whose whole names match.
     *
     * @param pattern a regular expression of RE2's syntax.
     * @return a request.
     */
    public static SowRequest pattern(final String pattern) {
        return new SowRequest(new Values(pattern, true));
    }

    /**
     * Narrows to records that satisfy a condition.
     *
     * @param condition for example {@code price > 10}; empty = everything.
     * @return the same request with this filter.
     */
    public SowRequest filter(final String condition) {
        return with(next -> next.filter = condition);
    }

    /**
     * Says in which order the records come.
     *
     * @param order for example {@code price DESC, symbol NULLS FIRST}; empty = none.
     * @return the same request with this order.
     */
    public SowRequest orderBy(final String order) {
        return with(next -> next.orderBy = order);
    }

    /**
     * Says what comes of each record, or of each group of records.
     *
     * @param items for example {@code origin, COUNT(*), AVG(delay) AS mean}; empty = whole records.
     * @return the same request with this selection.
     */
    public SowRequest select(final String items) {
        return with(next -> next.select = items);
    }

    /**
     * Groups the records of an aggregate.
     *
     * @param items for example {@code origin}; empty = one group.
     * @return the same request with these groups.
     */
    public SowRequest groupBy(final String items) {
        return with(next -> next.groupBy = items);
    }

    /**
     * Narrows to rows of an aggregate that satisfy a condition.
     *
     * @param condition on the rows, for example {@code mean > 10}; empty = all.
     * @return the same request with this condition.
     */
    public SowRequest having(final String condition) {
        return with(next -> next.having = condition);
    }

    /**
     * Joins the topic with another one: the query is of pairs of their records, whose fields are {@code /orders/price}. Such a
     * query has a select list. Brokers before 0.2.0 refuse that.
     *
     * @param other what follows the topic's name in a FROM clause, for example
     *     {@code LEFT JOIN customers ON /orders/customer = /customers/id}; empty = no join.
     * @return the same request with this join.
     */
    public SowRequest join(final String other) {
        return with(next -> next.join = other);
    }

    /**
     * Says how many records come.
     *
     * @param count most records; -1 = all.
     * @return the same request with this bound.
     */
    public SowRequest top(final int count) {
        return with(next -> next.excerpt = new Excerpt(count, next.excerpt.skip, next.excerpt.batchSize));
    }

    /**
     * Says how many records are left out first.
     *
     * @param count records left out.
     * @return the same request with that.
     */
    public SowRequest skip(final int count) {
        return with(next -> next.excerpt = new Excerpt(next.excerpt.top, count, next.excerpt.batchSize));
    }

    /**
     * Says how many records come in one frame.
     *
     * @param size most records; 0 = the broker's choice.
     * @return the same request with this size.
     */
    public SowRequest batchSize(final int size) {
        return with(next -> next.excerpt = new Excerpt(next.excerpt.top, next.excerpt.skip, size));
    }

    /**
     * Says how long the query may take.
     *
     * @param time of whole milliseconds; zero = the broker's limit.
     * @return the same request with this time.
     */
    public SowRequest timeout(final Duration time) {
        final int timeoutMs = Millis.of("sow: timeout", time);
        return with(next -> next.timeoutMs = timeoutMs);
    }

    /**
     * Asks for reports of the query's progress.
     *
     * @param interval the shortest time between two answers, not below 100 ms; zero = never.
     * @return the same request with that.
     */
    public SowRequest progress(final Duration interval) {
        final int intervalMs = Millis.of("sow: progress", interval);
        return with(next -> next.progressMs = intervalMs);
    }

    /**
     * Asks for the answer only once all that it is made of is on stable storage: none of it is lost when the broker
     * fails. Of topics in memory the answer comes at once.
     *
     * @return the same request with that.
     */
    public SowRequest durable() {
        return with(next -> next.isDurable = true);
    }

    /**
     * Asks the broker to say at the end how it has answered: {@link SowStats#explanation}. Brokers before 0.2.0 refuse that.
     *
     * @return the same request with that.
     */
    public SowRequest explain() {
        return with(next -> next.isExplained = true);
    }

    /**
     * Asks for the state of journaled topics as it was after the message of a bookmark. For a pattern the bookmark says a
     * message of each shard that is looked at.
     *
     * @param bookmark a place in the log.
     * @return the same request as of then.
     */
    public SowRequest asOf(final Bookmark bookmark) {
        return with(next -> next.asOf = LogPlace.including(bookmark));
    }

    /**
     * Asks for the state of journaled topics as it was at a time.
     *
     * @param time UTC; what the broker took at that time counts.
     * @return the same request as of then.
     */
    public SowRequest asOf(final Instant time) {
        return with(next -> next.asOf = LogPlace.time(time));
    }

    /**
     * Narrows to records with some keys.
     *
     * @param wanted messages with the key fields, or keys where publishers give them; none has a line break in it.
     * @return the same request with these keys.
     */
    public SowRequest keys(final List<String> wanted) {
        return with(next -> next.keys = List.copyOf(wanted));
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
     * The condition on the fields of the record.
     *
     * @return text; empty = everything.
     */
    public String filter() {
        return values.filter;
    }

    /**
     * The order of the records.
     *
     * @return fields; empty = none.
     */
    public String orderBy() {
        return values.orderBy;
    }

    /**
     * Fields, expressions and aggregates.
     *
     * @return items; empty = whole records.
     */
    public String select() {
        return values.select;
    }

    public String groupBy() {
        return values.groupBy;
    }

    /**
     * The condition on the rows of an aggregate.
     *
     * @return text; empty = all.
     */
    public String having() {
        return values.having;
    }

    /** The topic that is joined, and how; empty = none. */
    public String join() {
        return values.join;
    }

    /** The most records; -1 = all. */
    public int top() {
        return values.excerpt.top;
    }

    /** How many records are left out first. */
    public int skip() {
        return values.excerpt.skip;
    }

    /** The most records in one frame; 0 = the broker's choice. */
    public int batchSize() {
        return values.excerpt.batchSize;
    }

    /**
     * When the broker gives the query up.
     *
     * @return in milliseconds; 0 = its limit.
     */
    public int timeoutMs() {
        return values.timeoutMs;
    }

    /**
     * How often the broker says how far it is.
     *
     * @return shortest interval in milliseconds; 0 = never.
     */
    public int progressMs() {
        return values.progressMs;
    }

    /**
     * As of when state is asked for.
     *
     * @return a bookmark or a time; {@link LogPlace#NOW} for the state as it is.
     */
    public LogPlace asOf() {
        return values.asOf;
    }

    public boolean isDurable() {
        return values.isDurable;
    }

    public boolean isExplained() {
        return values.isExplained;
    }

    /**
     * The keys of the only records wanted.
     *
     * @return keys; empty = all records.
     */
    public List<String> keys() {
        return values.keys;
    }

    /** Returns what the request says, for people. */
    @Override
    public String toString() {
        return SowRequestText.of(this);
    }

    private SowRequest with(final Consumer<Values> change) {
        final Values next = new Values(values);
        change.accept(next);
        return new SowRequest(next);
    }

    /** Which of the records found are sent, and how many at a time. */
    private record Excerpt(int top, int skip, int batchSize) {}

    /** The values of a request; not changed once a request has them. */
    private static final class Values {
        private final String topic;
        private final boolean isPattern;
        private String join = "";
        private String filter = "";
        private String orderBy = "";
        private String select = "";
        private String groupBy = "";
        private String having = "";
        private Excerpt excerpt = new Excerpt(-1, 0, 0);
        private int timeoutMs;
        private int progressMs;
        private LogPlace asOf = LogPlace.NOW;
        private boolean isDurable;
        private boolean isExplained;
        private List<String> keys = List.of();

        Values(final String topic, final boolean isPattern) {
            if (topic.isEmpty()) {
                throw new IllegalArgumentException("sow: topic is empty (name one, or use a pattern such as '.*')");
            }
            this.topic = topic;
            this.isPattern = isPattern;
        }

        Values(final Values other) {
            topic = other.topic;
            isPattern = other.isPattern;
            join = other.join;
            filter = other.filter;
            orderBy = other.orderBy;
            select = other.select;
            groupBy = other.groupBy;
            having = other.having;
            excerpt = other.excerpt;
            timeoutMs = other.timeoutMs;
            progressMs = other.progressMs;
            asOf = other.asOf;
            isDurable = other.isDurable;
            isExplained = other.isExplained;
            keys = other.keys;
        }
    }
}
