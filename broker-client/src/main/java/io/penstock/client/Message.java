package io.penstock.client;

import io.penstock.format.header.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A message of its own, copied from the receive buffer. Immutable as long as nobody writes to {@link #bytes()}. */
public final class Message {
    private final RecordKind kind;
    private final String topic;
    private final int shard;
    private final long sequence;
    private final long timestampNs;
    private final byte[] bytes;
    private final Headers headers;
    private final @Nullable String publisherKey;
    private final TopicKeys keys;

    /** Made when it is asked for first, by any thread. */
    private volatile @Nullable String key;

    /** Is of nothing. */
    Message() {
        this(new MessageView(), new byte[0], null, new TopicKeys());
    }

    /**
     * Copies what a view says of its message.
     *
     * @param view         of the message.
     * @param content      payload and headers, for this message alone.
     * @param publisherKey that the message came with; null for none.
     * @param keys         that know the key of others.
     */
    Message(final MessageView view, final byte[] content, final @Nullable String publisherKey, final TopicKeys keys) {
        kind = view.kind();
        topic = view.topic();
        shard = view.shard();
        sequence = view.sequence();
        timestampNs = view.timestampNs();
        final int length = view.length();
        bytes = content.length == length ? content : Arrays.copyOf(content, length);
        headers = content.length == length
                ? Headers.NONE
                : new Headers().wrap(new UnsafeBuffer(content), length, content.length - length);
        this.publisherKey = publisherKey;
        this.keys = keys;
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
     * The payload.
     *
     * @return the bytes themselves, not a copy.
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Reads the payload as UTF-8.
     *
     * @return a new string.
     */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * The headers of the message, or of the record that it is made of.
     *
     * @return empty when there are none.
     */
    public Headers headers() {
        return headers;
    }

    /**
     * The key of the record, as the text that queries and deletes take.
     *
     * @return as {@link MessageView#key()} has it.
     */
    public String key() {
        String known = key;
        if (known == null) {
            known = publisherKey != null ? publisherKey : keyText();
            key = known;
        }
        return known;
    }

    private String keyText() {
        if (kind == RecordKind.STATE && sequence == 0) {
            return "";
        }
        final UnsafeBuffer content = new UnsafeBuffer(new byte[bytes.length + headers.length()]);
        content.putBytes(0, bytes);
        headers.write(content, bytes.length);
        return keys.text(topic, content, 0, bytes.length, headers.length());
    }

    @Override
    public String toString() {
        return topic + " " + shard + ":" + sequence + " (" + bytes.length + " bytes)";
    }
}
