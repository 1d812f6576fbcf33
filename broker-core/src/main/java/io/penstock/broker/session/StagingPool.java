package io.penstock.broker.session;

import java.util.ArrayDeque;
import org.agrona.BitUtil;
import org.jspecify.annotations.Nullable;

/**
 * Slots for frames that arrive in fragments, in sizes of powers of two, used again and again. All of them together stay
 * within a budget; at the bound {@link #acquire} is refused until a slot comes back. Confined to one I/O agent.
 */
final class StagingPool {
    private static final int SLOT_LENGTH_MIN_SHIFT = 17;

    private final ArrayDeque<StagingSlot>[] free;
    private final long lengthMax;
    private long length;

    @SuppressWarnings({"unchecked", "rawtypes"})
    StagingPool(final long lengthMax) {
        this.lengthMax = lengthMax;
        free = new ArrayDeque[Integer.SIZE];
        for (int i = 0; i < free.length; i++) {
            free[i] = new ArrayDeque<>();
        }
    }

    /** Takes a slot for a frame, or returns null when the budget does not allow it now. */
    @Nullable
    StagingSlot acquire(final int frameLength) {
        final int shift = Math.max(SLOT_LENGTH_MIN_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(frameLength - 1));
        final StagingSlot slot = free[shift].poll();
        if (slot != null) {
            return slot;
        }
        final int slotLength = BitUtil.findNextPositivePowerOfTwo(1 << shift);
        for (int i = free.length - 1; i >= 0 && length + slotLength > lengthMax; i--) {
            // Free slots of other sizes make room for this one.
            while (length + slotLength > lengthMax && !free[i].isEmpty()) {
                length -= free[i].remove().buffer.capacity();
            }
        }
        if (length + slotLength > lengthMax) {
            return null;
        }
        length += slotLength;
        return new StagingSlot(slotLength);
    }

    void release(final StagingSlot slot) {
        free[Integer.numberOfTrailingZeros(slot.buffer.capacity())].add(slot);
    }

    /** Bytes of all slots, in use or free. */
    long length() {
        return length;
    }
}
