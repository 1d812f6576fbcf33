package io.penstock.client;

import io.penstock.format.header.Headers;
import io.penstock.format.header.HeadersBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to the broker, with all that may be said of it:
 *
 * <pre>{@code
 * client.publish(Publication.to("orders").text("{\"id\":7}").header("region", "EU"));
 * }</pre>
 *
 * Mutable; may be published again, and changed between: one object serves as many messages as a thread publishes one after
 * the other. Confined to one thread.
 */
public final class Publication {
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    String topic;
    DirectBuffer payload = EMPTY;
    int offset;
    int length;
    long publisherSequence;
    private PublishOptions options = PublishOptions.NONE;
    /** Of what was added to the headers of the options. */
    private @Nullable HeadersBuilder headers;

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
     * Says where it goes, when the same object is published to another topic.
     *
     * @param name of the topic.
     * @return this.
     */
    public Publication topic(final String name) {
        topic = name;
        return this;
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
        return bytes(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /**
     * Says where the payload is. Allocates nothing.
     *
     * @param buffer     holding it, read when the message is published.
     * @param newOffset  of the first byte.
     * @param newLength  in bytes.
     * @return this.
     */
    public Publication bytes(final DirectBuffer buffer, final int newOffset, final int newLength) {
        payload = buffer;
        offset = newOffset;
        length = newLength;
        return this;
    }

    /**
     * Takes these options in the place of what was said of key, delta, expiration and headers. Allocates nothing.
     *
     * @param all options of the message.
     * @return this.
     */
    public Publication options(final PublishOptions all) {
        options = all;
        headers = null;
        isHeaderNew = false;
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
        builder().put(name, value);
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
        builder().put(name, value);
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
        builder().put(name, value);
        return this;
    }

    /**
     * Gives it these headers and no others.
     *
     * @param all headers of the message.
     * @return this.
     */
    public Publication headers(final Headers all) {
        options = options.headers(all);
        headers = null;
        isHeaderNew = false;
        return this;
    }

    /**
     * Gives it a publisher sequence: a message whose sequence is not above the last one applied for this client's name is
     * acknowledged but not applied again, so it may be published anew when its fate is unknown. Allocates nothing.
     *
     * @param sequence rising for this client's name; 0 = none.
     * @return this.
     */
    public Publication publisherSequence(final long sequence) {
        publisherSequence = sequence;
        return this;
    }

    private HeadersBuilder builder() {
        HeadersBuilder builder = headers;
        if (builder == null) {
            builder = Headers.builder().putAll(options.headers());
            headers = builder;
        }
        isHeaderNew = true;
        return builder;
    }

    /** All that is no payload. */
    PublishOptions options() {
        final HeadersBuilder builder = headers;
        if (isHeaderNew && builder != null) {
            options = options.headers(builder.build());
            isHeaderNew = false;
        }
        return options;
    }
}
