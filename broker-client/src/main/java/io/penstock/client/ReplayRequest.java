package io.penstock.client;

/**
 * A subscription to messages from a place of the log. Immutable; made by {@link #topic} or {@link #pattern}, which
 * begin with the first message there is, and changed from there.
 *
 * @param topic     a topic's name, or a regular expression that is matched against whole names.
 * @param isPattern whether the topic is a regular expression.
 * @param filter    a condition on the fields of the message; empty = everything.
 * @param from      where it begins.
 * @param to        where it ends; {@link LogPlace#NO_END} = it goes on with new messages.
 * @param ifMissing what to do when the start's bookmark is not in the log.
 * @param isLive    whether new messages come before they are on stable storage.
 * @param rate      how fast messages come at most.
 * @param credit    how much comes at first, in bytes; 0 = there is no need of credit.
 */
public record ReplayRequest(
        String topic,
        boolean isPattern,
        String filter,
        LogPlace from,
        LogPlace to,
        Missing ifMissing,
        boolean isLive,
        ReplayRate rate,
        long credit) {
    /** What to do when the start's bookmark is not in the log. */
    public enum Missing {
        /** The subscription is refused with {@code BOOKMARK_NOT_FOUND}. */
        FAIL,
        /** It begins with the first message there is. */
        BEGINNING,
        /** It begins with the next message. */
        NOW
    }

    public ReplayRequest {
        if (topic.isEmpty()) {
            throw new IllegalArgumentException("subscribe: topic is empty (name one, or use a pattern such as '.*')");
        }
        if (from.kind() == LogPlace.Kind.NO_END) {
            throw new IllegalArgumentException("subscribe: begins at no end (begin with LogPlace.BEGINNING)");
        }
        if (to.kind() == LogPlace.Kind.BEGINNING) {
            throw new IllegalArgumentException(
                    "subscribe: ends at the beginning (use LogPlace.NO_END to go on with new messages)");
        }
        checkedCredit(credit);
    }

    static long checkedCredit(final long length) {
        if (length < 0) {
            throw new IllegalArgumentException(
                    "subscribe: credit is negative: " + length + " (give bytes, or 0 to do without)");
        }
        return length;
    }

    /**
     * All messages of one topic that are in the log, and new ones.
     *
     * @param topic its name.
     * @return a request, to be narrowed.
     */
    public static ReplayRequest topic(final String topic) {
        return new ReplayRequest(
                topic, false, "", LogPlace.BEGINNING, LogPlace.NO_END, Missing.FAIL, false, ReplayRate.UNLIMITED, 0);
    }

    /**
     * All messages of all topics whose whole names match that are in the log, and new ones. The order of topics that lie in
     * different shards is not kept.
     *
     * @param pattern a regular expression of RE2's syntax, for example {@code orders\\..*}.
     * @return a request, to be narrowed.
     */
    public static ReplayRequest pattern(final String pattern) {
        return new ReplayRequest(
                pattern, true, "", LogPlace.BEGINNING, LogPlace.NO_END, Missing.FAIL, false, ReplayRate.UNLIMITED, 0);
    }

    /**
     * Narrows to messages that satisfy a condition.
     *
     * @param condition for example {@code price > 10}; empty = everything.
     * @return the same request with this filter.
     */
    public ReplayRequest filter(final String condition) {
        return new ReplayRequest(topic, isPattern, condition, from, to, ifMissing, isLive, rate, credit);
    }

    /**
     * Says where to begin.
     *
     * @param place for example {@code LogPlace.bookmark(last)}.
     * @return the same request from there.
     */
    public ReplayRequest from(final LogPlace place) {
        return new ReplayRequest(topic, isPattern, filter, place, to, ifMissing, isLive, rate, credit);
    }

    /**
     * Says where to end; the subscription is over then.
     *
     * @param place {@link LogPlace#NOW} for what is there now.
     * @return the same request up to there.
     */
    public ReplayRequest to(final LogPlace place) {
        return new ReplayRequest(topic, isPattern, filter, from, place, ifMissing, isLive, rate, credit);
    }

    /**
     * Says what to do when the start's bookmark is not in the log.
     *
     * @param missing fails unless it is given.
     * @return the same request with that.
     */
    public ReplayRequest ifMissing(final Missing missing) {
        return new ReplayRequest(topic, isPattern, filter, from, to, missing, isLive, rate, credit);
    }

    /**
     * Asks for new messages before they are on stable storage.
     *
     * @return the same request with that.
     */
    public ReplayRequest live() {
        return new ReplayRequest(topic, isPattern, filter, from, to, ifMissing, true, rate, credit);
    }

    /**
     * Bounds the speed.
     *
     * @param limit how fast messages come at most.
     * @return the same request with that.
     */
    public ReplayRequest rate(final ReplayRate limit) {
        return new ReplayRequest(topic, isPattern, filter, from, to, ifMissing, isLive, limit, credit);
    }

    /**
     * Has the broker deliver only as much as there is credit for: what the program is not ready for stays there, and does
     * not hold up what comes on the same connection.
     *
     * @param length of the messages that may come at first, as {@link MessageView#creditLength()} counts them; more is given
     *               by {@link Subscription#credit(long)}. 0 = all messages come as fast as they can.
     * @return the same request with that.
     */
    public ReplayRequest credit(final long length) {
        return new ReplayRequest(topic, isPattern, filter, from, to, ifMissing, isLive, rate, length);
    }
}
