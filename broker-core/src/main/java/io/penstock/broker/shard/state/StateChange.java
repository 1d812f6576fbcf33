package io.penstock.broker.shard.state;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a publish to a topic with state says beside its message. Mutable and used again for each message: its buffers
 * are valid as long as the message's are. Owned by the agent that made it.
 */
public final class StateChange {
    /** The record expires as its topic says. */
    public static final long EXPIRATION_OF_TOPIC = 0;

    /** The record never expires. */
    public static final long EXPIRATION_NEVER = -1;

    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private DirectBuffer key = EMPTY;
    private int keyOffset;
    private int keyLength;
    private boolean delta;
    private long expirationNs;
    private long sessionId;
    private long commandId;

    /**
     * Says what the next message is.
     *
     * @param keyBuffer  holding the key in canonical form.
     * @param offset     of its first byte.
     * @param length     in bytes.
     * @param isDelta    whether the message is to be merged into the record.
     * @param expiration in nanoseconds from now, or one of the constants.
     * @param session    of the publisher, to be told of a refusal.
     * @param command    of the publisher.
     */
    public void wrap(
            final DirectBuffer keyBuffer,
            final int offset,
            final int length,
            final boolean isDelta,
            final long expiration,
            final long session,
            final long command) {
        key = keyBuffer;
        keyOffset = offset;
        keyLength = length;
        delta = isDelta;
        expirationNs = expiration;
        sessionId = session;
        commandId = command;
    }

    public DirectBuffer key() {
        return key;
    }

    public int keyOffset() {
        return keyOffset;
    }

    public int keyLength() {
        return keyLength;
    }

    public boolean isDelta() {
        return delta;
    }

    /**
     * When the record expires.
     *
     * @return nanoseconds from now, or one of the constants.
     */
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
