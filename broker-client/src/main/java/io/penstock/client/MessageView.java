package io.penstock.client;

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
    private int keyLength;

    /** Internal: one that holds nothing yet. */
    public MessageView() {
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
            final int keyLength) {
        this.kind = kind;
        this.topic = topic;
        this.shard = shard;
        this.sequence = sequence;
        this.timestampNs = timestampNs;
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.keyLength = keyLength;
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
     * The length of the key that the publisher gave with the record. It lies behind the payload.
     *
     * @return in bytes; 0 where fields of the message are the key, as they are of most views, and on topics without state.
     */
    public int keyLength() {
        return keyLength;
    }

    /**
     * Reads the key that the publisher gave with the record.
     *
     * @return a new string; empty where there is none.
     */
    public String key() {
        if (keyLength == 0) {
            return "";
        }
        final byte[] bytes = new byte[keyLength];
        buffer.getBytes(offset + length, bytes);
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
        return new Message(kind, topic, shard, sequence, timestampNs, bytes(), key());
    }

    /**
     * What the message has taken of the credit of its subscription.
     *
     * @return length in the log with header, key and padding, in bytes; to be given back by
     *     {@link Subscription#credit(long)}.
     */
    public int creditLength() {
        return RecordDescriptor.alignedLength(RecordDescriptor.HEADER_LENGTH + length + keyLength);
    }

    @Override
    public String toString() {
        return topic + " " + shard + ":" + sequence + " (" + length + " bytes)";
    }
}
