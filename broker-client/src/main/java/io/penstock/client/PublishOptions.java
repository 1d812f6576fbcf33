package io.penstock.client;

import io.penstock.format.header.Headers;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;

/**
 * How to publish: with headers, and to a topic with state. Immutable; made from {@link #NONE}, and used for as many messages
 * as it fits.
 *
 * @param key          of the record, on topics whose publishers give it; empty = it is in the message's fields.
 * @param isDelta      whether the message holds only the fields that change, to be merged into the record.
 * @param expirationMs of the record after this change, in milliseconds; 0 = as the topic has it, -1 = never.
 * @param headers      of the message, which are the record's from then on; a broker that speaks version 1 of the protocol
 *                     alone takes none.
 * @param isRequest    whether the message is refused with {@link ErrorCode#NO_RESPONDER} when the topic has no subscriber.
 */
public record PublishOptions(String key, boolean isDelta, long expirationMs, Headers headers, boolean isRequest) {
    /** A whole message that expires as its topic says, with its key in its fields. */
    public static final PublishOptions NONE = new PublishOptions("", false, 0, Headers.NONE, false);

    /** Only the fields that change, and those of the key. */
    public static final PublishOptions DELTA = NONE.delta();

    /**
     * Options without headers.
     *
     * @param key          as above.
     * @param isDelta      as above.
     * @param expirationMs as above.
     */
    public PublishOptions(final String key, final boolean isDelta, final long expirationMs) {
        this(key, isDelta, expirationMs, Headers.NONE, false);
    }

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
        return new PublishOptions(newKey, isDelta, expirationMs, headers, isRequest);
    }

    /**
     * Merges the message into the record: fields that it has replace those of the record, objects are merged field by
     * field. A field that is null in the message is null in the record then; none can be taken away but by publishing the
     * whole message.
     *
     * @return the same options with that.
     */
    public PublishOptions delta() {
        return new PublishOptions(key, true, expirationMs, headers, isRequest);
    }

    /**
     * Says how long the record stays when nothing changes it.
     *
     * @param time at least a millisecond.
     * @return the same options with this time.
     */
    public PublishOptions expiration(final Duration time) {
        return new PublishOptions(key, isDelta, Millis.ofExpiration("publish", time), headers, isRequest);
    }

    /**
     * Keeps the record whatever its topic says.
     *
     * @return the same options with that.
     */
    public PublishOptions neverExpires() {
        return new PublishOptions(key, isDelta, -1, headers, isRequest);
    }

    /**
     * Gives the message headers.
     *
     * @param newHeaders of the message, in place of those given before.
     * @return the same options with these headers.
     */
    public PublishOptions headers(final Headers newHeaders) {
        return new PublishOptions(key, isDelta, expirationMs, newHeaders, isRequest);
    }

    /**
     * Gives the message a header more.
     *
     * @param name  of the header.
     * @param value of the header, a text.
     * @return the same options with this header.
     */
    public PublishOptions header(final String name, final String value) {
        return headers(Headers.builder().putAll(headers).put(name, value).build());
    }

    /**
     * Asks for an answer: the message is refused with {@link ErrorCode#NO_RESPONDER} when the topic has no subscriber.
     *
     * @return the same options with that.
     */
    PublishOptions request() {
        return new PublishOptions(key, isDelta, expirationMs, headers, true);
    }
}
