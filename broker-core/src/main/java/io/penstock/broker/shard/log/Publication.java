package io.penstock.broker.shard.log;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One message on its way into a shard's log: its topic, its publisher, its payload, and for a topic with state its
 * effect on the record. Mutable and used again for each message: its buffers are valid as long as those that it was
 * filled from. Owned by the agent that made it.
 */
public final class Publication {
    /** The record expires as its topic says. */
    public static final long EXPIRATION_OF_TOPIC = 0;

    /** The record never expires. */
    public static final long EXPIRATION_NEVER = -1;

    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private int topicId;
    private int publisherId;
    private long publisherSequence;
    private DirectBuffer payload = EMPTY;
    private int payloadOffset;
    private int payloadLength;
    private int headersLength;
    private Effect effect = Effect.NONE;
    private DirectBuffer key = EMPTY;
    private int keyOffset;
    private int keyLength;
    private boolean isRequest;
    private long expirationNs;
    private long sessionId;
    private long commandId;

    /** Its effect on a record. */
    private enum Effect {
        NONE,
        REPLACED,
        MERGED
    }

    /**
     * Begins the next message, which is of no record and has no key.
     *
     * @param topic     number of the topic in its shard.
     * @param publisher number of the named publisher in the shard, or 0.
     * @param sequence  given by the publisher, or 0.
     * @return this.
     */
    public Publication of(final int topic, final int publisher, final long sequence) {
        topicId = topic;
        publisherId = publisher;
        publisherSequence = sequence;
        effect = Effect.NONE;
        keyLength = 0;
        headersLength = 0;
        isRequest = false;
        return this;
    }

    /**
     * Says that it is a request, which is refused when the topic has no subscriber.
     *
     * @return this.
     */
    public Publication request() {
        isRequest = true;
        return this;
    }

    /**
     * Says what the message is.
     *
     * @param buffer holding it.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return this.
     */
    public Publication payload(final DirectBuffer buffer, final int offset, final int length) {
        payload = buffer;
        payloadOffset = offset;
        payloadLength = length;
        return this;
    }

    /**
     * Says how long its headers are, which were checked and lie after the payload in the same buffer.
     *
     * @param length in bytes; 0 for none.
     * @return this.
     */
    public Publication headers(final int length) {
        headersLength = length;
        return this;
    }

    /**
     * Says which record of a topic with state it changes, and how.
     *
     * @param buffer     holding the key in canonical form.
     * @param offset     of its first byte.
     * @param length     in bytes.
     * @param delta      whether the message is to be merged into the record.
     * @param expiration of the record in nanoseconds from now, or one of the constants.
     * @return this.
     */
    public Publication record(
            final DirectBuffer buffer, final int offset, final int length, final boolean delta, final long expiration) {
        key(buffer, offset, length);
        effect = delta ? Effect.MERGED : Effect.REPLACED;
        expirationNs = expiration;
        return this;
    }

    /**
     * Gives it a key alone.
     *
     * @param buffer holding the key.
     * @param offset of its first byte.
     * @param length in bytes; 0 for none.
     * @return this.
     */
    public Publication key(final DirectBuffer buffer, final int offset, final int length) {
        key = buffer;
        keyOffset = offset;
        keyLength = length;
        return this;
    }

    /**
     * Says who is notified when the shard refuses it.
     *
     * @param session of the publisher.
     * @param command of the publisher.
     * @return this.
     */
    public Publication from(final long session, final long command) {
        sessionId = session;
        commandId = command;
        return this;
    }

    public int topicId() {
        return topicId;
    }

    /** The named publisher in the shard; 0 for none. */
    public int publisherId() {
        return publisherId;
    }

    /** Given by the publisher; 0 for none. */
    public long publisherSequence() {
        return publisherSequence;
    }

    public DirectBuffer payload() {
        return payload;
    }

    public int payloadOffset() {
        return payloadOffset;
    }

    /** In bytes. */
    public int payloadLength() {
        return payloadLength;
    }

    /** Length of the headers after the payload, in bytes; 0 for none. */
    public int headersLength() {
        return headersLength;
    }

    /** Whether it changes a record of a topic with state. */
    public boolean hasRecord() {
        return effect != Effect.NONE;
    }

    public DirectBuffer key() {
        return key;
    }

    public int keyOffset() {
        return keyOffset;
    }

    /** In bytes; 0 for none. */
    public int keyLength() {
        return keyLength;
    }

    /** Whether it is refused when the topic has no subscriber. */
    public boolean isRequest() {
        return isRequest;
    }

    /** Whether the message is to be merged into the record. */
    public boolean isDelta() {
        return effect == Effect.MERGED;
    }

    /** When the record expires, in nanoseconds from now, or one of the constants. */
    public long expirationNs() {
        return expirationNs;
    }

    public long sessionId() {
        return sessionId;
    }

    public long commandId() {
        return commandId;
    }
}
