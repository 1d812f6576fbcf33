package io.penstock.client;

import java.nio.charset.StandardCharsets;

/** A message of its own, copied from the receive buffer. Immutable as long as nobody writes to {@link #bytes()}. */
public final class Message {
    private final String topic;
    private final int shard;
    private final long sequence;
    private final long timestampNs;
    private final byte[] bytes;

    Message(final String topic, final int shard, final long sequence, final long timestampNs, final byte[] bytes) {
        this.topic = topic;
        this.shard = shard;
        this.sequence = sequence;
        this.timestampNs = timestampNs;
        this.bytes = bytes;
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
     * The number of this message in its shard; it rises, with gaps where messages went elsewhere.
     *
     * @return the sequence, from 1.
     */
    public long sequence() {
        return sequence;
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

    @Override
    public String toString() {
        return topic + " " + shard + ":" + sequence + " (" + bytes.length + " bytes)";
    }
}
