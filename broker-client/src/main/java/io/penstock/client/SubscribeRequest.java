package io.penstock.client;

/**
 * What to subscribe to. Immutable.
 *
 * @param topic     a topic's name, or a regular expression that is matched against whole names.
 * @param isPattern whether the topic is a regular expression.
 * @param filter    a condition on the fields of the message; empty = everything.
 */
public record SubscribeRequest(String topic, boolean isPattern, String filter) {
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
        return new SubscribeRequest(topic, false, "");
    }

    /**
     * All messages of all topics, present and future, whose whole names match.
     *
     * @param pattern a regular expression of RE2's syntax, for example {@code orders\..*}.
     * @return a request, to be narrowed by {@link #filter(String)}.
     */
    public static SubscribeRequest pattern(final String pattern) {
        return new SubscribeRequest(pattern, true, "");
    }

    /**
     * Narrows to messages that satisfy a condition.
     *
     * @param condition for example {@code price > 10 AND symbol LIKE 'A%'}; empty = everything.
     * @return the same request with this filter.
     */
    public SubscribeRequest filter(final String condition) {
        return new SubscribeRequest(topic, isPattern, condition);
    }
}
