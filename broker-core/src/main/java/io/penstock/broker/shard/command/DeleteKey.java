package io.penstock.broker.shard.command;

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

    @Override
    public boolean execute(final ShardOperations shard) {
        deleted = shard.delete(topicId, key, keyLength);
        return deleted >= 0;
    }
}
