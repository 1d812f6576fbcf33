package io.penstock.broker.topic;

/**
 * That a topic keeps the last value of each key, and how. Immutable.
 *
 * @param key          paths of the fields that are the key, as {@code id} or {@code account, /order/id}; empty when
 *                     publishers give the key with each message.
 * @param expirationNs after its last change a record is deleted, in nanoseconds; 0 for never.
 */
public record StateRule(String key, long expirationNs) {
    /** What stands for the key of a view, which is computed; written where a key is, and no path of a field. */
    private static final String VIEW_KEY = "=";

    /** What stands for a key that publishers give, where a rule is written as text. */
    public static final String PUBLISHER_KEY = "*";

    public StateRule {
        if (expirationNs < 0) {
            throw new IllegalArgumentException("topic: expiration below 0: " + expirationNs + " ns (use 0 for never)");
        }
    }

    /**
     * The rule that a text and a time stand for.
     *
     * @param key          {@link #PUBLISHER_KEY}, or paths of fields.
     * @param expirationNs as of the rule.
     * @return the rule.
     */
    public static StateRule of(final String key, final long expirationNs) {
        return new StateRule(key.equals(PUBLISHER_KEY) ? "" : key, expirationNs);
    }

    /**
     * The rule of a view.
     *
     * @return a rule by which nobody can publish.
     */
    public static StateRule view() {
        return new StateRule(VIEW_KEY, 0);
    }

    /**
     * Whether the topic is computed from another, so that nobody publishes to it.
     *
     * @return true for {@link #view()}.
     */
    public boolean isView() {
        return key.equals(VIEW_KEY);
    }

    /**
     * Whether the key is given with each message, by publishers or by what a view computes.
     *
     * @return false when fields of the message are the key.
     */
    public boolean isPublisherKey() {
        return key.isEmpty() || isView();
    }

    /**
     * The key as text that is never empty.
     *
     * @return for {@link #of}.
     */
    public String keyText() {
        return key.isEmpty() ? PUBLISHER_KEY : key;
    }
}
