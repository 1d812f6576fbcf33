package io.penstock.client;

import java.time.Duration;

/**
 * A topic as it is to be. Immutable: made by {@link #json}, {@link #binary} or {@link #of}; each method that says more
 * gives another topic.
 *
 * <pre>{@code
 * client.declareTopic(Topic.json("quotes").key("symbol").expiration(Duration.ofHours(8)));
 * }</pre>
 *
 * @param name         of the topic.
 * @param format       of its messages.
 * @param key          paths of the fields that are the key; {@code *} when publishers give it; empty = no state.
 * @param expirationMs of its records after their last change, in milliseconds; 0 = never.
 */
public record Topic(String name, String format, String key, long expirationMs) {
    /**
     * A topic of JSON messages without state.
     *
     * @param name of the topic.
     * @return the topic.
     */
    public static Topic json(final String name) {
        return of(name, "json");
    }

    /**
     * A topic of messages that the broker does not look into, without state.
     *
     * @param name of the topic.
     * @return the topic.
     */
    public static Topic binary(final String name) {
        return of(name, "binary");
    }

    /**
     * A topic without state.
     *
     * @param name   of the topic.
     * @param format of its messages, one that the broker has.
     * @return the topic.
     */
    public static Topic of(final String name, final String format) {
        return new Topic(name, format, "", 0);
    }

    /**
     * Keeps the last message of each key.
     *
     * @param fields paths of the fields that are the key, for example {@code id} or {@code /order/id, venue}; {@code *}
     *               when publishers give it; empty = no state.
     * @return the same topic with this key.
     */
    public Topic key(final String fields) {
        return new Topic(name, format, fields, expirationMs);
    }

    /**
     * Says how long its records stay when nothing changes them. Unless it is said, they stay.
     *
     * @param time at least a millisecond.
     * @return the same topic with this time.
     */
    public Topic expiration(final Duration time) {
        return new Topic(name, format, key, Millis.ofExpiration("topic " + name, time));
    }
}
