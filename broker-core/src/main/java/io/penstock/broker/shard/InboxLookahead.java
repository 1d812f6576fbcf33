package io.penstock.broker.shard;

import io.penstock.broker.shard.store.KeyLookahead;
import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/** Looks at the records that the next messages of an inbox change, before these are applied. Owned by the sequencer. */
final class InboxLookahead {
    private final RingBuffer ring;
    private final KeyLookahead keys = new KeyLookahead();

    /** @param ring of an inbox. */
    InboxLookahead(final RingBuffer ring) {
        this.ring = ring;
    }

    /**
     * Looks at those of the next messages, up to {@link KeyLookahead#CAPACITY} and to the end of the ring's memory.
     *
     * @param shard that they are applied to.
     * @return how many messages were looked at; 0 when none of them changes a record.
     */
    int look(final Shard shard) {
        final AtomicBuffer buffer = ring.buffer();
        final int capacity = ring.capacity();
        int index = (int) ring.consumerPosition() & (capacity - 1);
        int count = 0;
        int changes = 0;
        while (count < KeyLookahead.CAPACITY && index < capacity) {
            // Not there yet when it is 0 or less.
            final int length = buffer.getIntVolatile(RecordDescriptor.lengthOffset(index));
            if (length <= 0) {
                break;
            }
            final int at = RecordDescriptor.encodedMsgOffset(index);
            if (Inbox.isRecord(buffer.getInt(RecordDescriptor.typeOffset(index)), buffer, at)) {
                shard.lookAhead(
                        keys, Inbox.topicId(buffer, at), buffer, Inbox.keyOffset(at), Inbox.keyLength(buffer, at));
                changes++;
            }
            count++;
            index += BitUtil.align(length, RecordDescriptor.ALIGNMENT);
        }
        keys.look();
        return changes == 0 ? 0 : count;
    }
}
