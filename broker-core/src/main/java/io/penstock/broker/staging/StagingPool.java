package io.penstock.broker.staging;

import java.util.ArrayDeque;
import org.agrona.BitUtil;
import org.jspecify.annotations.Nullable;

/**
 * Slots for frames that arrive in fragments, in sizes of powers of two, used again and again. All of them together stay
 * within a budget, and those of one identity within three quarters of it.
 *
 * <p>A slot is at most half of the room that is left, of the budget and of its identity's share. So owners of long
 * slots leave room for shorter ones, however many they are, and nobody has to identify them. Only a slot that is longer
 * than half of a share, which could never be had so, takes what there is. Confined to one I/O agent.
 */
public final class StagingPool {
    private static final int SLOT_LENGTH_MIN = 128 * 1024;

    private final ArrayDeque<StagingSlot>[] free;
    private final long lengthMax;
    private final long shareLengthMax;
    private long length;
    private long usedLength;

    @SuppressWarnings({"unchecked", "rawtypes"})
    public StagingPool(final long lengthMax) {
        this.lengthMax = lengthMax;
        shareLengthMax = lengthMax - lengthMax / 4;
        free = new ArrayDeque[Integer.SIZE];
        for (int i = 0; i < free.length; i++) {
            free[i] = new ArrayDeque<>();
        }
    }

    /** Takes a slot for a frame, or returns null when there is no room for it now. */
    @Nullable
    public StagingSlot acquire(final int frameLength, final StagingShare share) {
        if (!hasRoom(frameLength, share, 0, 0)) {
            return null;
        }
        final int slotLength = slotLength(frameLength);
        final StagingSlot slot = take(slotLength);
        slot.share = share;
        share.length += slotLength;
        usedLength += slotLength;
        return slot;
    }

    /**
     * Whether a frame would find room once others have given theirs back.
     *
     * @param ownLength   of what those of its own identity would give back, in bytes.
     * @param totalLength of what all would.
     */
    public boolean hasRoom(
            final int frameLength, final StagingShare share, final long ownLength, final long totalLength) {
        final int slotLength = slotLength(frameLength);
        final long room = lengthMax - usedLength + totalLength;
        return isWithinShare(slotLength, share.length - ownLength)
                && slotLength <= (isLong(slotLength) ? room : room / 2);
    }

    /** Whether it is not for what its own identity holds that a frame finds no room. */
    public boolean isWithinShare(final int frameLength, final StagingShare share) {
        return isWithinShare(slotLength(frameLength), share.length);
    }

    private boolean isWithinShare(final int slotLength, final long shareLength) {
        return isLong(slotLength) || slotLength <= (shareLengthMax - shareLength) / 2;
    }

    private boolean isLong(final int slotLength) {
        return slotLength > shareLengthMax / 2;
    }

    /** The length of the slot for a frame. */
    public static int slotLength(final int frameLength) {
        return Math.max(SLOT_LENGTH_MIN, BitUtil.findNextPositivePowerOfTwo(frameLength));
    }

    private StagingSlot take(final int slotLength) {
        final StagingSlot slot = free[Integer.numberOfTrailingZeros(slotLength)].poll();
        if (slot != null) {
            return slot;
        }
        for (int i = free.length - 1; i >= 0 && length + slotLength > lengthMax; i--) {
            // Free slots of other sizes make room for this one.
            while (length + slotLength > lengthMax && !free[i].isEmpty()) {
                length -= free[i].remove().buffer().capacity();
            }
        }
        length += slotLength;
        return new StagingSlot(slotLength);
    }

    public void release(final StagingSlot slot) {
        final int slotLength = slot.buffer().capacity();
        usedLength -= slotLength;
        slot.share.length -= slotLength;
        free[Integer.numberOfTrailingZeros(slotLength)].add(slot);
    }

    /** Bytes of all slots, in use or free. */
    public long length() {
        return length;
    }
}
