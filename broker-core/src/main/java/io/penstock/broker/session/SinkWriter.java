package io.penstock.broker.session;

import io.penstock.transport.RemoteMemory;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** A producer of a sink on one connection. What is not final is the I/O agent's; others know it by identity. */
public final class SinkWriter {
    final int writerId;
    private final long sessionId;
    private final long commandId;
    private final String sink;
    private final String producer;
    private final @Nullable RemoteMemory memory;

    /** Blocks that were offered and not answered yet, by their ids. */
    final Long2ObjectHashMap<BlockTransfer> transfers = new Long2ObjectHashMap<>();

    boolean isOpen;

    SinkWriter(
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
