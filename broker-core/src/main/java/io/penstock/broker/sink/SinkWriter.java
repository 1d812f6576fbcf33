package io.penstock.broker.sink;

import io.penstock.transport.RemoteMemory;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A producer of a sink on one connection. Fields that are not final belong to the I/O agent; other agents use only its
 * identity.
 */
public final class SinkWriter {
    private final int writerId;
    private final long sessionId;
    private final long commandId;
    private final String sink;
    private final String producer;
    private final @Nullable RemoteMemory memory;

    private final Long2ObjectHashMap<BlockTransfer> transfers = new Long2ObjectHashMap<>();

    private boolean isOpen;

    /**
     * Makes a writer that is not open yet.
     *
     * @param writerId  by which its client knows it.
     * @param sessionId that it belongs to.
     * @param commandId that opens it.
     * @param sink      name of the sink.
     * @param producer  user and producer, as they stand in the index.
     * @param memory    where its blocks may be pulled from; null when there is nothing like it.
     */
    public SinkWriter(
            final int writerId,
            final long sessionId,
            final long commandId,
            final String sink,
            final String producer,
            final @Nullable RemoteMemory memory) {
        this.writerId = writerId;
        this.sessionId = sessionId;
        this.commandId = commandId;
        this.sink = sink;
        this.producer = producer;
        this.memory = memory;
    }

    /** Number by which its client knows it. */
    public int writerId() {
        return writerId;
    }

    /** Blocks that were offered and not answered yet, by their ids. The I/O agent's. */
    public Long2ObjectHashMap<BlockTransfer> transfers() {
        return transfers;
    }

    /** The I/O agent's: whether its client may offer blocks. */
    public boolean isOpen() {
        return isOpen;
    }

    /** Called by the I/O agent. */
    public void isOpen(final boolean value) {
        isOpen = value;
    }

    /** The session that it belongs to; its I/O agent is in the high bits. */
    public long sessionId() {
        return sessionId;
    }

    /** The command that opened it. */
    public long commandId() {
        return commandId;
    }

    /** Name of the sink. */
    public String sink() {
        return sink;
    }

    /** User and producer, as they stand in the index. */
    public String producer() {
        return producer;
    }

    /** Where its blocks may be pulled from, closed by the sink agent; null when there is nothing like it. */
    public @Nullable RemoteMemory memory() {
        return memory;
    }
}
