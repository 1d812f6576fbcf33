package io.penstock.client;

import java.nio.charset.StandardCharsets;

/** A message of its own, copied from the receive buffer. Immutable as long as nobody writes to {@link #bytes()}. */
public final class Message {
    private final RecordKind kind;
    private final String topic;
    private final int shard;
    private final long sequence;
    private final long timestampNs;
    private final byte[] bytes;
    private final String key;

    Message(
            final RecordKind kind,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final byte[] bytes,
            final String key) {
        this.kind = kind;
        this.topic = topic;
        this.shard = shard;
        this.sequence = sequence;
        this.timestampNs = timestampNs;
        this.bytes = bytes;
        this.key = key;
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
     * The key that the publisher gave with the record.
     *
     * @return empty where fields of the message are the key, and on topics without state.
     */
    public String key() {
        return key;
    }

    @Override
    public String toString() {
        return topic + " " + shard + ":" + sequence + " (" + bytes.length + " bytes)";
    }
}
