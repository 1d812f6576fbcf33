package io.penstock.orb;

import java.io.Serializable;

/** A message to be published. Immutable as long as nobody writes to {@link #data()}. */
public final class Publication implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final byte[] data;
    private final String key;
    private final boolean isDelta;
    private final long expirationMs;

    /**
     * A whole message.
     *
     * @param topic to publish to.
     * @param data  the payload; not copied.
     * @return with its key in its fields, and the expiration of its topic.
     */
    public static Publication of(final String topic, final byte[] data) {
        return new Publication(topic, data, "", false, 0);
    }

    private Publication(
            final String topic, final byte[] data, final String key, final boolean isDelta, final long expirationMs) {
        this.topic = topic;
        this.data = data;
        this.key = key;
        this.isDelta = isDelta;
        this.expirationMs = expirationMs;
    }

    /**
     * Names the record.
     *
     * @param newKey of the record, for a topic that was declared with the key {@code *}.
     * @return the same with that.
     */
    public Publication key(final String newKey) {
        return new Publication(topic, data, newKey, isDelta, expirationMs);
    }

    /**
     * Has the message merged into the record.
     *
     * @return the same with that.
     */
    public Publication delta() {
        return new Publication(topic, data, key, true, expirationMs);
    }

    /**
     * Says how long the record stays when nothing changes it.
     *
     * @param newExpirationMs in milliseconds; 0 = as the topic has it, -1 = never.
     * @return the same with that.
     */
    public Publication expirationMs(final long newExpirationMs) {
        return new Publication(topic, data, key, isDelta, newExpirationMs);
    }

    public String topic() {
        return topic;
    }

    /**
     * The payload.
     *
     * @return the bytes themselves, not a copy.
     */
    public byte[] data() {
        return data;
    }

    /**
     * The key of the record, on topics whose publishers give it.
     *
     * @return empty = it is in the message's fields.
     */
    public String key() {
        return key;
    }

    /**
     * Whether the message holds only the fields that change.
     *
     * @return true to have it merged into the record.
     */
    public boolean isDelta() {
        return isDelta;
    }

    /**
     * When the record expires after this change.
     *
     * @return in milliseconds; 0 = as the topic has it, -1 = never.
     */
    public long expirationMs() {
        return expirationMs;
    }
}
