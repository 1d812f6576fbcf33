package io.penstock.client.sink;

import io.penstock.transport.LentMemory;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Internal: the connection for blocks, whichever connection the client has at present. Called by its thread. */
public interface BlockConnection {
    /** Internal: opens a sink; returns the command id, or a negative number. */
    long offerOpenSink(int writerId, String sink, String producer, String memoryKey, long memoryLength);

    /** Internal: closes a sink; returns the command id, or a negative number. */
    long offerCloseSink(int writerId);

    /** Internal: memory that the broker can pull from over this connection; null where the medium has none. */
    @Nullable
    LentMemory lendMemory(int length) throws IOException;

    /** Internal: offers a block; returns the command id, or a negative number. */
    long offerBlock(int writerId, long blockId, long memoryOffset, int length, int checksum);

    /** Internal: the most bytes of a block that go in one part. */
    int blockPartLength();

    /** Internal: sends a part of a block, whose bytes are in use until the block is stored. False when there is no room now. */
    boolean offerBlockData(int writerId, long blockId, int offset, DirectBuffer block, int length);
}
