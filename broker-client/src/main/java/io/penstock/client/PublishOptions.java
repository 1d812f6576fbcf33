package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import java.time.Duration;

/**
 * How to publish to a topic with state. Immutable; made from {@link #NONE}, and used for as many messages as it fits.
 *
 * @param key          of the record, on topics whose publishers give it; empty = it is in the message's fields.
 * @param isDelta      whether the message holds only the fields that change, to be merged into the record.
 * @param expirationMs of the record after this change, in milliseconds; 0 = as the topic has it, -1 = never.
 */
public record PublishOptions(String key, boolean isDelta, long expirationMs) {
    /** A whole message that expires as its topic says, with its key in its fields. */
    public static final PublishOptions NONE = new PublishOptions("", false, 0);

    /** Only the fields that change, and those of the key. */
    public static final PublishOptions DELTA = NONE.delta();

    public PublishOptions {
        if (expirationMs < -1) {
            throw new PenstockException(
                    ErrorCode.BAD_MESSAGE,
                    "publish: expiration is too small: " + expirationMs
                            + " ms (use 1 or more, 0 for the topic's, or -1 for never)");
        }
    }

    /**
     * Names the record.
     *
     * @param newKey of the record, for a topic that was declared with the key {@code *}.
     * @return the same options with this key.
     */
    public PublishOptions key(final String newKey) {
        return new PublishOptions(newKey, isDelta, expirationMs);
    }

    /**
     * Merges the message into the record: fields that it has replace those of the record, objects are merged field by
     * field. A field that is null in the message is null in the record then; none can be taken away but by publishing the
     * whole message.
     *
     * @return the same options with that.
     */
    public PublishOptions delta() {
        return new PublishOptions(key, true, expirationMs);
    }

    /**
     * Says how long the record stays when nothing changes it.
     *
     * @param time at least a millisecond.
     * @return the same options with this time.
     */
    public PublishOptions expiration(final Duration time) {
        if (time.toMillis() < 1) {
            throw new PenstockException(
                    ErrorCode.BAD_MESSAGE,
                    "publish: expiration is too small: " + time + " (use a millisecond or more)");
        }
        return new PublishOptions(key, isDelta, time.toMillis());
    }

    /**
     * Keeps the record whatever its topic says.
     *
     * @return the same options with that.
     */
    public PublishOptions neverExpires() {
        return new PublishOptions(key, isDelta, -1);
    }
}
