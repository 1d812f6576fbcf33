package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.UnsafeApi;

/**
 * Memory that the stores of one shard have taken from the system, and its bound. Owned by the writer, except where a
 * method says otherwise.
 */
final class MemoryBudget {
    private final long budgetLength;
    private final int chunkLength;
    private final ChunkMemory memory;
    /** Bytes that the writer has reserved, without the spare chunk. */
    private final AtomicLong reserved = new AtomicLong();
    /** Address of a touched chunk, or 0. */
    private final AtomicLong spare = new AtomicLong();
    /** Address of a chunk that is to go back to the system, or 0. */
    private final AtomicLong surplus = new AtomicLong();

    MemoryBudget(final long budgetLength, final int chunkLength) {
        this.budgetLength = budgetLength;
        this.chunkLength = chunkLength;
        memory = ChunkMemory.of(chunkLength);
    }

    int chunkLength() {
        return chunkLength;
    }

    long budgetLength() {
        return budgetLength;
    }

    /** Bytes that were taken, with the spare chunk. Any thread may ask. */
    long reservedLength() {
        return reserved.getAcquire() + (spare.getAcquire() == 0 ? 0 : chunkLength);
    }

    /** Bytes that the writer may still take, with the spare chunk. */
    long unreservedLength() {
        return budgetLength - reserved.getPlain();
    }

    boolean fits(final long length) {
        return reserved.getPlain() + length <= budgetLength;
    }

    /** See {@link StateMemory#prepare}: one thread may call this, the writer or another. */
    boolean prepare() {
        final boolean hasFreed = freeAtSystem(surplus.getAndSet(0));
        if (spare.getAcquire() != 0 || reserved.getAcquire() + chunkLength > budgetLength) {
            return hasFreed;
        }
        spare.setRelease(memory.takeTouched());
        return true;
    }

    /** Takes the memory of a chunk that fits: the spare one if it is there. */
    long takeChunk() {
        long address = spare.getAndSet(0);
        if (address == 0) {
            address = memory.take();
        }
        reserved.setRelease(reserved.getPlain() + chunkLength);
        return address;
    }

    /** Puts a chunk's memory aside for {@link #prepare}; what was put aside before goes back at once. */
    void giveChunk(final long address) {
        reserved.setRelease(reserved.getPlain() - chunkLength);
        freeAtSystem(surplus.getAndSet(address));
    }

    /** Takes memory that fits. */
    long take(final long length) {
        final long address = UnsafeApi.allocateMemory(length);
        reserved.setRelease(reserved.getPlain() + length);
        return address;
    }

    void give(final long address, final long length) {
        reserved.setRelease(reserved.getPlain() - length);
        UnsafeApi.freeMemory(address);
    }

    /** Gives back what nobody has. Not to be called during {@link #prepare}. */
    void close() {
        freeAtSystem(spare.getAndSet(0));
        freeAtSystem(surplus.getAndSet(0));
        reserved.setRelease(0);
    }

    /** Gives memory of a chunk back to the system at once. */
    void freeChunk(final long address) {
        memory.give(address);
    }

    private boolean freeAtSystem(final long address) {
        if (address == 0) {
            return false;
        }
        memory.give(address);
        return true;
    }
}
