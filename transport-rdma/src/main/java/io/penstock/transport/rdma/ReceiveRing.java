package io.penstock.transport.rdma;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The slots of receives, and the chunks that have arrived in them, in order. A slot goes back to the device when all of
 * its records have been taken; one without records goes back at once. Lengths are checked before they are used. Owned
 * by the agent.
 */
final class ReceiveRing {
    private final FreeSlots free;
    private final UnsafeBuffer memory;
    private final int slotCount;

    /** A ring of slots that have arrived and are not taken yet. */
    private final int[] slots;

    private final int[] lengths;
    private long arrived;
    private long taken;
    private int offset = Chunks.PREAMBLE_LENGTH;
    private int partLength;
    private int frameLength;

    ReceiveRing(final Scratch scratch, final Link link, final UnsafeBuffer memory) {
        this.memory = memory;
        free = new FreeSlots(scratch, link, memory);
        slotCount = link.slotCount();
        slots = new int[slotCount];
        lengths = new int[slotCount];
    }

    /** A slot was filled. False when that cannot be. */
    boolean onArrived(final int slot, final int length) {
        if (slot < 0 || slot >= slotCount || arrived - taken == slotCount || length < Chunks.PREAMBLE_LENGTH) {
            return false;
        }
        free.onArrived();
        if (length == Chunks.PREAMBLE_LENGTH) {
            free.add(slot);
        } else {
            final int index = (int) (arrived++ % slotCount);
            slots[index] = slot;
            lengths[index] = length;
        }
        return true;
    }

    int credits(final int slot) {
        return memory.getInt(slot * Chunks.SLOT_LENGTH + Chunks.CREDITS_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    int flags(final int slot) {
        return memory.getInt(slot * Chunks.SLOT_LENGTH + Chunks.FLAGS_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    boolean isEmpty() {
        return arrived == taken;
    }

    /** Looks at the next record, of which there is one. False when its lengths cannot be. */
    boolean look() {
        final int available = lengths[(int) (taken % slotCount)] - offset;
        if (available < Chunks.HEADER_LENGTH) {
            return false;
        }
        final int record = slotOffset() + offset;
        partLength = memory.getInt(record + Chunks.PART_OFFSET, ByteOrder.LITTLE_ENDIAN);
        frameLength = memory.getInt(record + Chunks.FRAME_OFFSET, ByteOrder.LITTLE_ENDIAN);
        return partLength >= 0
                && partLength <= Chunks.PART_LENGTH_MAX
                && Chunks.HEADER_LENGTH + partLength <= available;
    }

    private int slotOffset() {
        return slots[(int) (taken % slotCount)] * Chunks.SLOT_LENGTH;
    }

    int partLength() {
        return partLength;
    }

    int frameLength() {
        return frameLength;
    }

    /** Where the bytes of the record are. */
    int bytesOffset() {
        return slotOffset() + offset + Chunks.HEADER_LENGTH;
    }

    /** Goes on after the record. */
    void take() {
        offset += Chunks.recordLength(partLength);
        final int index = (int) (taken % slotCount);
        if (offset >= lengths[index]) {
            free.add(slots[index]);
            taken++;
            offset = Chunks.PREAMBLE_LENGTH;
        }
    }

    /** Whether there are slots to give to the device. */
    boolean isPostPending() {
        return free.isPostPending();
    }

    /** Gives slots that are done with to the device. False when it refuses. */
    boolean repost() {
        return free.post();
    }

    /** Credits that the peer has not been notified of. */
    int owed() {
        return free.owed();
    }

    /** The peer is notified of all of them. */
    void onReturned() {
        free.onReturned();
    }

    /** Whether slots should be returned without waiting for something to send: they are many, or the peer has none. */
    boolean shouldReturn() {
        return free.shouldReturn();
    }
}
