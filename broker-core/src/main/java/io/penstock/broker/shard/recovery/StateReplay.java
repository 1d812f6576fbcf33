package io.penstock.broker.shard.recovery;

import static io.penstock.protocol.RecordDescriptor.FLAG_EXPIRES;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_DELETE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.KeyReader;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Makes a topic's state from the records of its log. Confined to one thread. */
public final class StateReplay {
    /** What is wrong when there is no memory for a record. */
    public static final String NO_ROOM = "state.memoryLengthMax is too little for it";

    private final StateRule rule;
    private final StateStore store;
    private final @Nullable KeyReader keyReader;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);

    public StateReplay(final Topic topic, final StateRule rule, final StateStore store) {
        this.rule = rule;
        this.store = store;
        keyReader = topic.newKeyReader();
    }

    /**
     * Applies a record. Returns what is wrong with it, or null.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     */
    @Nullable
    public String apply(final DirectBuffer buffer, final int offset) {
        final int messageLength = RecordDescriptor.messageLength(buffer, offset);
        final String wrong = readKey(buffer, offset, messageLength);
        if (wrong != null) {
            return wrong;
        }
        final int row = store.find(key, 0, key.capacity());
        final long sequence = RecordDescriptor.sequence(buffer, offset);
        if (RecordDescriptor.type(buffer, offset) == TYPE_DELETE) {
            if (row != StateStore.NO_ROW) {
                store.delete(row, sequence);
            }
            return null;
        }
        final int headersLength = RecordDescriptor.headersLength(buffer, offset);
        if (!store.hasRoom(row, key.capacity(), messageLength + headersLength)) {
            return NO_ROOM;
        }
        store.put(
                row,
                key,
                0,
                key.capacity(),
                buffer,
                offset + HEADER_LENGTH,
                messageLength,
                headersLength,
                sequence,
                RecordDescriptor.timestampNs(buffer, offset),
                expiresNs(buffer, offset));
        return null;
    }

    private @Nullable String readKey(final DirectBuffer buffer, final int offset, final int messageLength) {
        final int messageOffset = offset + HEADER_LENGTH;
        if (keyReader == null) {
            key.wrap(buffer, RecordDescriptor.keyOffset(buffer, offset), RecordDescriptor.keyLength(buffer, offset));
            return key.capacity() == 0 ? "it has no key" : null;
        }
        if (keyReader.readsHeaders()) {
            keyReader.headers(buffer, messageOffset + messageLength, RecordDescriptor.headersLength(buffer, offset));
        }
        final String wrong = keyReader.read(buffer, messageOffset, messageLength);
        if (wrong == null) {
            key.wrap(keyReader.buffer(), 0, keyReader.length());
        }
        return wrong;
    }

    private long expiresNs(final DirectBuffer buffer, final int offset) {
        if ((RecordDescriptor.flags(buffer, offset) & FLAG_EXPIRES) != 0) {
            final int end = offset + RecordDescriptor.length(buffer, offset);
            return buffer.getLong(end - Long.BYTES, LITTLE_ENDIAN);
        }
        return rule.expirationNs() == 0
                ? Long.MAX_VALUE
                : RecordDescriptor.timestampNs(buffer, offset) + rule.expirationNs();
    }
}
