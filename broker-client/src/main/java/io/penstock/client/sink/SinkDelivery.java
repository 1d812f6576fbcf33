package io.penstock.client.sink;

import io.penstock.client.PenstockException;
import io.penstock.transport.LentMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.agrona.BufferUtil;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One writer's part of the agent: opens the sink on each connection, offers blocks in the order of their ids, and sends
 * those that the broker asks for. Owned by the agent.
 */
final class SinkDelivery {
    /** Parts of blocks between two looks at other traffic. */
    private static final int PART_LIMIT = 16;

    /** How far the ids of blocks on their way may be apart, so that the broker still knows each. */
    private static final int ID_RANGE_MAX = 1000;

    private final SinkWriter writer;
    private final NanoClock clock;

    /** Unanswered blocks, in the order of their ids, and so of their offers. */
    private final ArrayDeque<SinkBlock> unanswered = new ArrayDeque<>();

    private final ArrayDeque<SinkBlock> granted = new ArrayDeque<>();
    private final Long2ObjectHashMap<SinkBlock> byCommandId;
    private @Nullable LentMemory lent;
    private @Nullable ByteBuffer own;
    private long openCommandId;
    private long lastBlockId;
    private boolean isOpenSent;
    private boolean isOpen;
    private boolean wasOpen;
    private boolean isLent;
    private boolean isPulled;
    private int offeredCount;

    SinkDelivery(final SinkWriter writer, final NanoClock clock, final Long2ObjectHashMap<SinkBlock> byCommandId) {
        this.writer = writer;
        this.clock = clock;
        this.byCommandId = byCommandId;
    }

    SinkWriter writer() {
        return writer;
    }

    long openCommandId() {
        return openCommandId;
    }

    /** Whether the broker knows of it on this connection. */
    boolean isOpenSent() {
        return isOpenSent;
    }

    /** Whether a broker has let it deliver, on this connection or on one before. */
    boolean wasOpen() {
        return wasOpen;
    }

    /** Whether nothing is on its way. */
    boolean isIdle() {
        return unanswered.isEmpty() && !writer.hasSubmitted();
    }

    /** Says what there is to say on this connection; returns the work done. */
    int send(final BlockConnection connection) {
        if (!isOpen) {
            return isOpenSent ? 0 : open(connection);
        }
        return offer(connection) + sendParts(connection);
    }

    private int open(final BlockConnection connection) {
        if (writer.opened().isCompletedExceptionally()) {
            // There was no memory: the caller that opens it closes it.
            return 0;
        }
        if (lent == null && own == null && !makeMemory(connection)) {
            return 1;
        }
        final LentMemory memory = isLent ? null : lent;
        openCommandId = connection.offerOpenSink(
                writer.writerId(),
                writer.sink(),
                writer.producer(),
                memory == null ? "" : memory.key(),
                memory == null ? 0 : memory.buffer().capacity());
        isOpenSent = openCommandId > 0;
        isLent |= isOpenSent;
        return isOpenSent ? 1 : 0;
    }

    /** Memory that the broker can pull from, where the medium has it; a key is good for one connection. */
    private boolean makeMemory(final BlockConnection connection) {
        final long startNs = clock.nanoTime();
        final int length = (int) writer.memoryLength();
        try {
            lent = connection.lendMemory(length);
            own = lent == null ? ByteBuffer.allocateDirect(length) : null;
        } catch (final IOException e) {
            writer.opened()
                    .completeExceptionally(
                            new PenstockException("sink: no memory for blocks: " + e.getMessage(), e.getCause()));
            return false;
        } catch (final OutOfMemoryError e) {
            writer.opened()
                    .completeExceptionally(new PenstockException(
                            "sink: no memory for blocks of " + writer.sink() + ": " + length + " bytes: "
                                    + e.getMessage()
                                    + " (use fewer or shorter blocks, or raise -XX:MaxDirectMemorySize)",
                            null));
            return false;
        }
        if (own != null) {
            writer.onMemory(new UnsafeBuffer(own), own, clock.nanoTime() - startNs);
        } else if (lent != null) {
            writer.onMemory(lent.buffer(), bytesOf(lent), clock.nanoTime() - startNs);
        }
        return true;
    }

    private static ByteBuffer bytesOf(final LentMemory memory) {
        final ByteBuffer bytes = memory.buffer().byteBuffer();
        if (bytes == null) {
            throw new IllegalStateException("sink: memory is in no direct buffer");
        }
        return bytes;
    }

    void onOpened(final long blockId, final boolean pulls) {
        isOpen = true;
        wasOpen = true;
        isPulled = pulls;
        lastBlockId = Math.max(lastBlockId, blockId);
        offeredCount = 0;
        writer.onOpened(pulls);
    }

    /** Unanswered blocks are offered again on the next connection. */
    void onDisconnect() {
        isOpen = false;
        isOpenSent = false;
        offeredCount = 0;
        granted.clear();
        for (final SinkBlock block : unanswered) {
            byCommandId.remove(block.commandId);
            block.sent = -1;
        }
    }

    private int offer(final BlockConnection connection) {
        int count = 0;
        if (offeredCount < unanswered.size()) {
            count += offerAgain(connection);
            if (offeredCount < unanswered.size()) {
                return count;
            }
        }
        while (unanswered.isEmpty() || lastBlockId - unanswered.element().blockId < ID_RANGE_MAX) {
            final SinkBlock block = writer.poll();
            if (block == null) {
                return count;
            }
            block.blockId = ++lastBlockId;
            block.wasOffered = false;
            block.sent = -1;
            unanswered.add(block);
            if (!offer(connection, block)) {
                return count;
            }
            count++;
        }
        return count;
    }

    private int offerAgain(final BlockConnection connection) {
        int index = 0;
        int count = 0;
        for (final SinkBlock block : unanswered) {
            if (index++ < offeredCount) {
                continue;
            }
            final boolean isAgain = block.wasOffered;
            if (!offer(connection, block)) {
                return count;
            }
            if (isAgain) {
                writer.onResent();
            }
            count++;
        }
        return count;
    }

    private boolean offer(final BlockConnection connection, final SinkBlock block) {
        final long commandId = connection.offerBlock(
                writer.writerId(), block.blockId, isPulled ? block.memoryOffset() : -1, block.length, block.checksum);
        if (commandId < 0) {
            return false;
        }
        block.commandId = commandId;
        block.wasOffered = true;
        byCommandId.put(commandId, block);
        offeredCount++;
        return true;
    }

    private int sendParts(final BlockConnection connection) {
        int count = 0;
        SinkBlock block;
        while (count < PART_LIMIT && (block = granted.peek()) != null) {
            final int part = Math.min(connection.blockPartLength(), block.length - block.sent);
            if (!connection.offerBlockData(writer.writerId(), block.blockId, block.sent, block.memory(), part)) {
                return count;
            }
            block.sent += part;
            count++;
            if (block.sent == block.length) {
                granted.remove();
            }
        }
        return count;
    }

    void onGranted(final long blockId) {
        for (final SinkBlock block : unanswered) {
            if (block.blockId == blockId && block.sent < 0) {
                block.sent = 0;
                granted.add(block);
                return;
            }
        }
    }

    /** Returns whether the block is one of this writer's. */
    boolean onStored(final SinkBlock block, final long number, final long offset) {
        if (!answer(block)) {
            return false;
        }
        writer.onStored(block, number, offset);
        return true;
    }

    /** Returns whether the block is one of this writer's. */
    boolean onFailed(final SinkBlock block, final PenstockException reason) {
        if (!answer(block)) {
            return false;
        }
        writer.onFailed(block, reason);
        return true;
    }

    private boolean answer(final SinkBlock block) {
        if (!unanswered.remove(block)) {
            return false;
        }
        offeredCount--;
        granted.remove(block);
        byCommandId.remove(block.commandId);
        return true;
    }

    /** Nothing is delivered any more; what is on its way fails. */
    void end(final @Nullable PenstockException reason) {
        final PenstockException why = reason == null
                ? new PenstockException("sink: writer was closed before the block was stored", null)
                : reason;
        writer.refuse(reason);
        onDisconnect();
        SinkBlock block;
        while ((block = unanswered.poll()) != null || (block = writer.poll()) != null) {
            writer.onFailed(block, why);
        }
        writer.onEnd(reason);
    }

    /**
     * Frees the memory of a writer that has ended, once no connection sends from it any more.
     *
     * @return false while a thread still has a block of it: to be tried again.
     */
    boolean free() {
        if (own == null && lent == null) {
            return true;
        }
        if (!writer.takeMemory()) {
            return false;
        }
        if (lent != null) {
            lent.close();
        }
        BufferUtil.free(own);
        lent = null;
        own = null;
        return true;
    }
}
