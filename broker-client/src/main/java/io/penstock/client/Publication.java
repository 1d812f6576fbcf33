package io.penstock.client;

import io.penstock.format.header.Headers;
import io.penstock.format.header.HeadersBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message on its way to the broker, with all that may be said of it:
 *
 * <pre>{@code
 * client.publish(Publication.to("orders").text("{\"id\":7}").header("region", "EU"));
 * }</pre>
 *
 * Mutable; may be published again, and changed between. Confined to one thread.
 */
public final class Publication {
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    final String topic;
    DirectBuffer payload = EMPTY;
    int offset;
    int length;
    long sequence;
    private PublishOptions options = PublishOptions.NONE;
    private HeadersBuilder headers = Headers.builder();
    private boolean isHeaderNew;

    private Publication(final String topic) {
        this.topic = topic;
    }

    /**
     * Begins a message, which is empty so far.
     *
     * @param topic to publish to.
     * @return the message.
     */
    public static Publication to(final String topic) {
        return new Publication(topic);
    }

    /**
     * Says what the payload is.
     *
     * @param text sent as UTF-8.
     * @return this.
     */
    public Publication text(final String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Says what the payload is.
     *
     * @param bytes read when the message is published.
     * @return this.
     */
    public Publication bytes(final byte[] bytes) {
        return payload(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /**
     * Says where the payload is.
     *
     * @param buffer     holding it, read when the message is published.
     * @param ofFirst    offset of the first byte.
     * @param byteLength in bytes.
     * @return this.
     */
    public Publication payload(final DirectBuffer buffer, final int ofFirst, final int byteLength) {
        payload = buffer;
        offset = ofFirst;
        length = byteLength;
        return this;
    }

    /**
     * Names the record, on topics whose publishers give the key.
     *
     * @param key of the record.
     * @return this.
     */
    public Publication key(final String key) {
        options = options.key(key);
        return this;
    }

    /**
     * Says that the payload holds only the fields that change, and those of the key.
     *
     * @return this.
     * @see PublishOptions#delta()
     */
    public Publication delta() {
        options = options.delta();
        return this;
    }

    /**
     * Says how long the record stays when nothing changes it.
     *
     * @param time at least a millisecond.
     * @return this.
     */
    public Publication expiration(final Duration time) {
        options = options.expiration(time);
        return this;
    }

    /**
     * Keeps the record whatever its topic says.
     *
     * @return this.
     */
    public Publication neverExpires() {
        options = options.neverExpires();
        return this;
    }

    /**
     * Adds a header that is a text.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return this.
     * @throws IllegalArgumentException when the name is not one that headers have.
     */
    public Publication header(final String name, final String value) {
        headers.put(name, value);
        isHeaderNew = true;
        return this;
    }

    /**
     * Adds a header that is an integer.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return this.
     * @throws IllegalArgumentException when the name is not one that headers have, or is reserved for texts.
     */
    public Publication header(final String name, final long value) {
        headers.put(name, value);
        isHeaderNew = true;
        return this;
    }

    /**
     * Adds a header of bytes.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return this.
     * @throws IllegalArgumentException when the name is not one that headers have, or is reserved for texts.
     */
    public Publication header(final String name, final byte[] value) {
        headers.put(name, value);
        isHeaderNew = true;
        return this;
    }

    /**
     * Gives it these headers and no others.
     *
     * @param all headers of the message.
     * @return this.
     */
    public Publication headers(final Headers all) {
        headers = Headers.builder().putAll(all);
        isHeaderNew = true;
        return this;
    }

    /**
     * Gives it a publisher sequence.
     *
     * @param publisherSequence rising for this client's name; 0 = none.
     * @return this.
     * @see PenstockClient#publish(String, DirectBuffer, int, int, long, AckType)
     */
    public Publication sequence(final long publisherSequence) {
        sequence = publisherSequence;
        return this;
    }

    /** All that is no payload. */
    PublishOptions options() {
        if (isHeaderNew) {
            options = options.headers(headers.build());
            isHeaderNew = false;
        }
        return options;
    }
}
