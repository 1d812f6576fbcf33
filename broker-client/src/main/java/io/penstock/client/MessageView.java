package io.penstock.client;

import io.penstock.format.header.Headers;
import io.penstock.protocol.RecordDescriptor;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message as it lies in the receive buffer: valid until the handler that was given it returns. Owned by the client,
 * which uses one view for all messages. Only {@link #text()}, {@link #bytes()}, {@link #key()} and {@link
 * #toMessage()} allocate.
 */
public final class MessageView {
    private RecordKind kind = RecordKind.MESSAGE;
    private String topic = "";
    private int shard;
    private long sequence;
    private long timestampNs;
    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int headersLength;
    private int keyLength;
    private int trailerLength;
    private final TopicKeys keys;
    private final Headers headers = new Headers();

    /** Internal: one that holds nothing yet, of topics with unknown keys. */
    public MessageView() {
        this(new TopicKeys());
    }

    /** Internal: one that holds nothing yet. */
    public MessageView(final TopicKeys keys) {
        this.keys = keys;
        buffer = new UnsafeBuffer(0, 0);
    }

    /** Internal: from here on it is of another message. */
    public MessageView wrap(
            final RecordKind kind,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int headersLength,
            final int keyLength,
            final int trailerLength) {
        this.kind = kind;
        this.topic = topic;
        this.shard = shard;
        this.sequence = sequence;
        this.timestampNs = timestampNs;
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.headersLength = headersLength;
        this.keyLength = keyLength;
        this.trailerLength = trailerLength;
        return this;
    }

    /**
     * What the message is to its subscription or query.
     *
     * @return {@link RecordKind#MESSAGE} for what was published.
     */
    public RecordKind kind() {
        return kind;
    }

    public String topic() {
        return topic;
    }

    /**
     * The shard of the broker that keeps the topic.
     *
     * @return with {@link #sequence()} the position of this message.
     */
    public int shard() {
        return shard;
    }

    /**
     * The number of this message in its shard; it rises, with gaps where messages went elsewhere. That of a record is of
     * its last change.
     *
     * @return the sequence, from 1; 0 for a row that was computed.
     */
    public long sequence() {
        return sequence;
    }

    /**
     * Where the message is in the log.
     *
     * @return a new bookmark.
     */
    public Bookmark bookmark() {
        return Bookmark.of(shard, sequence);
    }

    /**
     * When the broker took the message.
     *
     * @return nanoseconds since 1970.
     */
    public long timestampNs() {
        return timestampNs;
    }

    /**
     * The buffer that holds the payload.
     *
     * @return a buffer to read from {@link #offset()} on, for {@link #length()} bytes.
     */
    public DirectBuffer buffer() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    /**
     * The headers of the message, or of the record that it is made of.
     *
     * @return a view that is as valid as this one; empty when there are none.
     */
    public Headers headers() {
        return headers.wrap(buffer, offset + length, headersLength);
    }

    /**
     * The key of the record, as the text that queries and deletes take.
     *
     * @return a new string: the key that its publisher gave, or a message of nothing but the fields that are the key,
     *     such as {@code {"id":7}}, in which equal keys are equal texts. Empty on topics without state, for rows that a
     *     query computed, and where the broker does not send a topic's key because it speaks version 1 of the protocol
     *     alone.
     */
    public String key() {
        if (keyLength == 0) {
            return kind == RecordKind.STATE && sequence == 0
                    ? ""
                    : keys.text(topic, buffer, offset, length, headersLength);
        }
        final byte[] bytes = new byte[keyLength];
        buffer.getBytes(offset + length + headersLength, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Copies the payload.
     *
     * @return new bytes.
     */
    public byte[] bytes() {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    /**
     * Reads the payload as UTF-8.
     *
     * @return a new string.
     */
    public String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /**
     * Copies all of it.
     *
     * @return a message that stays as it is.
     */
    public Message toMessage() {
        final byte[] content = new byte[length + headersLength];
        buffer.getBytes(offset, content);
        return new Message(this, content, keyLength == 0 ? null : key(), keys);
    }

    /** A view of a copy, which stays as it is. */
    MessageView copy() {
        final byte[] content = new byte[length + headersLength + keyLength];
        buffer.getBytes(offset, content);
        return new MessageView(keys)
                .wrap(
                        kind,
                        topic,
                        shard,
                        sequence,
                        timestampNs,
                        new UnsafeBuffer(content),
                        0,
                        length,
                        headersLength,
                        keyLength,
                        trailerLength);
    }

    /**
     * The credit of its subscription that the message has taken.
     *
     * @return length in the log with header, key and padding, in bytes; to be given back by {@link
     *     Subscription#credit(long)}.
     */
    public int creditLength() {
        return RecordDescriptor.alignedLength(RecordDescriptor.HEADER_LENGTH + length + trailerLength);
    }

    @Override
    public String toString() {
        return topic + " " + shard + ":" + sequence + " (" + length + " bytes)";
    }
}
