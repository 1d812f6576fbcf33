package io.penstock.broker.sink;

import io.penstock.broker.storage.AlignedBuffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One piece of memory for all blocks that are on their way, given out in pieces whose lengths are powers of two and
 * which grow together again when they come back (a buddy allocator). It is taken once, so that a medium can register it
 * once. The sink agent alone gives pieces and takes them back; the receiver of the block writes the piece's bytes.
 */
public final class BlockMemory {
    /** Shortest piece, in bytes. */
    public static final int PIECE_LENGTH_MIN = 64 * 1024;

    private static final int PIECE_SHIFT = Integer.numberOfTrailingZeros(PIECE_LENGTH_MIN);
    private static final byte NOT_FREE = -1;

    private final AlignedBuffer memory;

    /** For each shortest piece: the order of the free piece that begins there, or {@link #NOT_FREE}. */
    private final byte[] freeOrders;

    private final int topOrder;
    private long usedLength;

    /**
     * Takes memory.
     *
     * @param length in bytes, a power of two, at least {@link #PIECE_LENGTH_MIN}.
     */
    public BlockMemory(final int length) {
        memory = new AlignedBuffer(length);
        freeOrders = new byte[length >> PIECE_SHIFT];
        topOrder = Integer.numberOfTrailingZeros(freeOrders.length);
        Arrays.fill(freeOrders, NOT_FREE);
        freeOrders[0] = (byte) topOrder;
    }

    /**
     * Takes a piece.
     *
     * @param length in bytes, above 0.
     * @return offset of its first byte, or -1 when there is none of that length now.
     */
    public int acquire(final int length) {
        final int order = orderOf(length);
        int best = -1;
        for (int i = 0; i < freeOrders.length; i += 1 << Math.max(order, freeOrders[i])) {
            if (freeOrders[i] >= order && (best < 0 || freeOrders[i] < freeOrders[best])) {
                best = i;
            }
        }
        if (best < 0) {
            return -1;
        }
        for (int half = freeOrders[best] - 1; half >= order; half--) {
            freeOrders[best + (1 << half)] = (byte) half;
        }
        freeOrders[best] = NOT_FREE;
        usedLength += pieceLength(length);
        return best << PIECE_SHIFT;
    }

    /**
     * Takes a piece back.
     *
     * @param offset as given by {@link #acquire}.
     * @param length as given to it.
     */
    public void release(final int offset, final int length) {
        int order = orderOf(length);
        int index = offset >> PIECE_SHIFT;
        assert freeOrders[index] == NOT_FREE : "released twice: " + offset;
        while (order < topOrder) {
            final int buddy = index ^ (1 << order);
            if (freeOrders[buddy] != order) {
                break;
            }
            freeOrders[buddy] = NOT_FREE;
            index = Math.min(index, buddy);
            order++;
        }
        freeOrders[index] = (byte) order;
        usedLength -= pieceLength(length);
    }

    /** Takes back the room of a block, if it has any. Called by the sink agent. */
    void release(final BlockTransfer transfer) {
        if (transfer.offset() >= 0) {
            release(transfer.offset(), transfer.length());
            transfer.offset(-1);
        }
    }

    /**
     * How long the piece is that a block takes.
     *
     * @param length of the block in bytes.
     * @return length of the piece in bytes.
     */
    public static long pieceLength(final int length) {
        return (long) PIECE_LENGTH_MIN << orderOf(length);
    }

    private static int orderOf(final int length) {
        final int pieces = ((length - 1) >> PIECE_SHIFT) + 1;
        return Integer.SIZE - Integer.numberOfLeadingZeros(pieces - 1);
    }

    /** Bytes of all pieces that are given out. */
    public long usedLength() {
        return usedLength;
    }

    public int capacity() {
        return memory.capacity();
    }

    /** All of the memory, for the receivers that fill pieces. */
    public UnsafeBuffer buffer() {
        return memory.buffer();
    }

    /** All of the memory, for files; position and limit are the sink agent's. */
    public ByteBuffer bytes() {
        return memory.bytes();
    }

    /** Gives the memory back to the system, once nobody fills pieces any more. */
    public void free() {
        memory.free();
    }
}
