package io.penstock.broker.topic;

import io.penstock.format.FieldSelection;

/**
 * That a topic keeps the last value of each key, and how. Immutable.
 *
 * @param key          paths of the fields that are the key, as {@code id} or {@code account, /order/id};
 *                     {@link #PUBLISHER_KEY} when publishers give the key with each message; empty for a view of one row.
 * @param expirationNs after its last change a record is deleted, in nanoseconds; 0 for never.
 * @param isView       whether the topic is computed from another, so that nobody publishes to it.
 */
public record StateRule(String key, long expirationNs, boolean isView) {
    /** Prefix of a view's key where a rule is written as text; no path of a field begins with it. */
    private static final String VIEW_PREFIX = "=";

    /** The text for a key that publishers give. */
    public static final String PUBLISHER_KEY = "*";

    public StateRule {
        if (expirationNs < 0) {
            throw new IllegalArgumentException("topic: expiration below 0: " + expirationNs + " ns (use 0 for never)");
        }
    }

    /**
     * The rule of a topic that is published to.
     *
     * @param key          {@link #PUBLISHER_KEY}, or paths of fields.
     * @param expirationNs as of the rule.
     * @return the rule.
     */
    public static StateRule of(final String key, final long expirationNs) {
        return new StateRule(key, expirationNs, false);
    }

    /**
     * The rule of a view.
     *
     * @param key paths of the columns that say what a row is of; empty when there is one row;
     *            {@link #PUBLISHER_KEY} when rows have the keys of the records that they are computed from.
     * @return a rule by which nobody can publish.
     */
    public static StateRule view(final String key) {
        return new StateRule(key, 0, true);
    }

    /**
     * The rule that a text and a time stand for.
     *
     * @param text         as {@link #keyText()} writes it.
     * @param expirationNs as of the rule.
     * @return the rule.
     */
    public static StateRule parse(final String text, final long expirationNs) {
        return text.startsWith(VIEW_PREFIX)
                ? new StateRule(text.substring(VIEW_PREFIX.length()), expirationNs, true)
                : of(text, expirationNs);
    }

    /**
     * Whether the key is given with each message.
     *
     * @return false when fields of the message are the key.
     */
    public boolean isPublisherKey() {
        return key.equals(PUBLISHER_KEY);
    }

    /**
     * The fields that are the key.
     *
     * @return the fields, none when publishers give the key and for a view of one row.
     */
    public FieldSelection keyFields() {
        return key.isEmpty() || isPublisherKey() ? FieldSelection.NONE : FieldSelection.parse(key);
    }

    /**
     * The key as text that is never empty.
     *
     * @return for {@link #parse}.
     */
    public String keyText() {
        return isView ? VIEW_PREFIX + key : key;
    }
}
