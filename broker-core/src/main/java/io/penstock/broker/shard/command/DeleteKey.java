package io.penstock.broker.shard.command;

import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandWriter;
import io.penstock.format.KeyReader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Deletes the record of one key. A session uses it again for each, so that nothing is allocated. */
public final class DeleteKey extends OrderedCommand {
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KeyReader.KEY_LENGTH_MAX]);
    private int keyLength;
    private int topicId;
    private long commandId;
    private int ackTypes;
    private int deleted;

    public DeleteKey(final int ioAgent, final long sessionId) {
        super(ioAgent, sessionId);
    }

    /** Whether it was there: 1, else 0. */
    public int deleted() {
        return deleted;
    }

    public int ackTypes() {
        return ackTypes;
    }

    /** The client's command, and the acknowledgements that it asks for. */
    public long commandId() {
        return commandId;
    }

    public void set(
            final long ofCommand,
            final int acks,
            final int topic,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        commandId = ofCommand;
        ackTypes = acks;
        topicId = topic;
        key.putBytes(0, buffer, offset, length);
        keyLength = length;
    }

    /** The topic of the record. */
    public int topicId() {
        return topicId;
    }

    /** The key in canonical form, from the buffer's start on. */
    public DirectBuffer key() {
        return key;
    }

    /** In bytes. */
    public int keyLength() {
        return keyLength;
    }

    /** It is an entry of a batch, so that nothing is allocated for it. */
    @Override
    public boolean encode(final CommandWriter to, final CommandOrigin origin, final long number) {
        throw new IllegalStateException("a delete of a key is no command of its own");
    }

    /** It is the entry that is applied. */
    @Override
    public boolean onApplied(final OrderedCommand part) {
        throw new IllegalStateException("a delete of a key is no command of its own");
    }

    /**
     * Takes over what its entry has done. Called by the sequencer.
     *
     * @param count of records that were deleted.
     */
    public void onDeleted(final int count) {
        deleted = count;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        deleted = shard.delete(topicId, key, keyLength);
        return deleted >= 0;
    }
}
