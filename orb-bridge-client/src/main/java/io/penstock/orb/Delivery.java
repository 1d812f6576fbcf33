package io.penstock.orb;

import java.io.Serializable;

/** A message that was delivered, or a record that was found. Immutable as long as nobody writes to {@link #data()}. */
public final class Delivery implements Serializable {
    /** A message as it was published, or the whole record after a change. */
    public static final int MESSAGE = 0;

    /** A record as it was when the query looked. */
    public static final int STATE = 1;

    /** The key and the changed fields of a record that was delivered before. */
    public static final int DELTA = 2;

    /** The record no longer matches the filter; as it is now. */
    public static final int OOF_MATCH = 3;

    /** The record was deleted; as it was before. */
    public static final int OOF_DELETED = 4;

    /** The record has expired; as it was before. */
    public static final int OOF_EXPIRED = 5;

    private static final long serialVersionUID = 1L;

    private final int kind;
    private final String topic;
    private final int shard;
    private final long sequence;
    private final long timestampNs;
    private final String key;
    private final byte[] data;

    /**
     * Makes a delivery.
     *
     * @param kind        one of the constants.
     * @param topic       it was published to.
     * @param shard       that keeps the topic.
     * @param sequence    in the shard.
     * @param timestampNs nanoseconds since 1970.
     * @param key         of the record, as {@link #key()} has it.
     * @param data        the payload; not copied.
     */
    public Delivery(
            final int kind,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final String key,
            final byte[] data) {
        this.kind = kind;
        this.topic = topic;
        this.shard = shard;
        this.sequence = sequence;
        this.timestampNs = timestampNs;
        this.key = key;
        this.data = data;
    }

    /**
     * The kind of the delivery for its subscription or query.
     *
     * @return one of the constants.
     */
    public int kind() {
        return kind;
    }

    public String topic() {
        return topic;
    }

    /**
     * The shard of the broker that keeps the topic.
     *
     * @return with {@link #sequence()} the position of the message.
     */
    public int shard() {
        return shard;
    }

    /**
     * The number of the message in its shard.
     *
     * @return from 1; 0 for a row that was computed.
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
     * The key of the record: as its publisher gave it, or a message of nothing but the fields that are the key, such as
     * {@code {"id":7}}, in which equal keys are equal texts.
     *
     * @return empty on topics without state, and for rows that a query computed.
     */
    public String key() {
        return key;
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
     * Where the message is in the log.
     *
     * @return {@code shard:sequence}.
     */
    public String bookmark() {
        return shard + ":" + sequence;
    }

    @Override
    public String toString() {
        return topic + " " + bookmark() + " (" + data.length + " bytes)";
    }
}
