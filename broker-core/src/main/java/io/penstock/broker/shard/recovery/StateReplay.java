package io.penstock.broker.shard.recovery;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_DELETE;

import io.penstock.broker.shard.state.RecordChange;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.Topic;
import io.penstock.format.KeyReader;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Makes a topic's state from the records of its log. Confined to one thread. */
public final class StateReplay {
    /** The error when there is no memory for a record. */
    public static final String NO_ROOM = "state.memoryLengthMax is too little for it";

    private final RecordChange change;
    private final @Nullable KeyReader keyReader;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);

    /**
     * Begins with the store as it is.
     *
     * @param topic  whose records it is.
     * @param change of the topic's store.
     */
    public StateReplay(final Topic topic, final RecordChange change) {
        this.change = change;
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
        final int row = change.find(key, 0, key.capacity());
        if (RecordDescriptor.type(buffer, offset) == TYPE_DELETE) {
            if (row != StateStore.NO_ROW) {
                change.delete(row, buffer, offset);
            }
            return null;
        }
        if (!change.hasRoom(row, key.capacity(), buffer, offset)) {
            return NO_ROOM;
        }
        change.put(row, key, 0, key.capacity(), buffer, offset);
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
}
