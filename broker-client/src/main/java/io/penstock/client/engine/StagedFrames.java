package io.penstock.client.engine;

import io.penstock.client.warning.ClientLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory for frames that are too long for the ring: slots for payloads of doubling lengths, bounded in bytes. A slot
 * that is given back keeps its memory for the next frame of its length, until there is no memory left for others.
 * Threads take slots; the agent gives them back, or the thread itself if it does not use its slot.
 */
final class StagedFrames {
    /** That the shortest slots are for, in bytes. */
    static final int PAYLOAD_LENGTH_MIN = 64 * 1024;

    /**
     * Room in each slot for the rest of a frame besides its payload, so that a round length does not take a slot of
     * twice its own.
     */
    static final int HEADER_LENGTH = 4 * 1024;

    private static final int SLOT_COUNT_MAX = 1 << 16;

    private final int slotLengthMax;
    private final Slot[] slots;
    private final FreeList<Slot> withoutMemory;
    /** Slots that nobody uses, by the class of their length. */
    private final List<FreeList<Slot>> free = new ArrayList<>();

    /** Bytes that slots may still get. */
    private final AtomicLong available;

    private final AtomicBoolean hasWarned = new AtomicBoolean();

    /** Owned by the thread that took it until its index is in the ring, then by the agent. */
    static final class Slot {
        private final int index;
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private @Nullable ByteBuffer memory;
        private int lengthClass;

        private Slot(final int index) {
            this.index = index;
        }

        int index() {
            return index;
        }

        UnsafeBuffer buffer() {
            return buffer;
        }
    }

    /**
     * @param length        of all slots in bytes, or that of the longest frame if that is more.
     * @param slotLengthMax length of the longest frame.
     */
    StagedFrames(final long length, final int slotLengthMax) {
        this.slotLengthMax = slotLengthMax;
        available = new AtomicLong(Math.max(length, slotLengthMax));
        for (int i = 0; i <= classOf(slotLengthMax); i++) {
            free.add(new FreeList<>(countMax(lengthOf(i))));
        }
        slots = new Slot[countMax(lengthOf(0))];
        withoutMemory = new FreeList<>(slots.length);
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(i);
            withoutMemory.give(slots[i]);
        }
    }

    private int countMax(final int slotLength) {
        return (int) Math.min(SLOT_COUNT_MAX, available.get() / slotLength);
    }

    private int lengthOf(final int lengthClass) {
        return (int) Math.min(((long) PAYLOAD_LENGTH_MIN << lengthClass) + HEADER_LENGTH, slotLengthMax);
    }

    private int classOf(final int frameLength) {
        int lengthClass = 0;
        while (lengthOf(lengthClass) < frameLength) {
            lengthClass++;
        }
        return lengthClass;
    }

    /** Returns null when there is no memory left for a frame of this length, which is at most that of the longest. */
    @Nullable
    Slot take(final int frameLength) {
        final int lengthClass = classOf(frameLength);
        Slot slot = free.get(lengthClass).take();
        if (slot == null) {
            slot = takeNew(lengthClass);
        }
        if (slot == null && lengthClass + 1 < free.size()) {
            // Rather than to make memory anew; a longer one would be kept from too many others.
            slot = free.get(lengthClass + 1).take();
        }
        return slot == null ? takeFromOthers(lengthClass) : slot;
    }

    /** Has the memory of slots of other lengths, if it suffices. */
    private @Nullable Slot takeFromOthers(final int lengthClass) {
        Slot slot = null;
        if (available.get() + unusedLength() >= lengthOf(lengthClass)) {
            for (int longer = lengthClass + 2; slot == null && longer < free.size(); longer++) {
                slot = takeFrom(longer, lengthClass);
            }
            for (int shorter = lengthClass - 1; slot == null && shorter >= 0; shorter--) {
                slot = takeFrom(shorter, lengthClass);
            }
        }
        return slot;
    }

    /** Length of unused slots, in bytes, as far as it is known. */
    private long unusedLength() {
        long length = 0;
        for (int i = 0; i < free.size(); i++) {
            length += (long) free.get(i).count() * lengthOf(i);
        }
        return length;
    }

    private @Nullable Slot takeNew(final int lengthClass) {
        final int length = lengthOf(lengthClass);
        if (!reserve(length)) {
            return null;
        }
        final Slot slot = withoutMemory.take();
        boolean isNew = false;
        try {
            if (slot != null) {
                final ByteBuffer memory = ByteBuffer.allocateDirect(length);
                slot.memory = memory;
                slot.buffer.wrap(memory);
                slot.lengthClass = lengthClass;
                isNew = true;
            }
        } catch (final OutOfMemoryError e) {
            // The JVM has less than the bound: that is no room as well, and others may give some back.
            if (hasWarned.compareAndSet(false, true)) {
                ClientLog.warn("stagingLength: more than the JVM has outside the heap: no " + length + " bytes, "
                        + e.getMessage() + " (raise -XX:MaxDirectMemorySize, or lower stagingLength)");
            }
            return null;
        } finally {
            if (!isNew) {
                available.addAndGet(length);
                giveEmpty(slot);
            }
        }
        return slot;
    }

    private boolean reserve(final int length) {
        long known;
        do {
            known = available.get();
            if (known < length) {
                return false;
            }
        } while (!available.compareAndSet(known, known - length));
        return true;
    }

    private void giveEmpty(final @Nullable Slot slot) {
        if (slot != null) {
            withoutMemory.give(slot);
        }
    }

    /** Frees slots of one class until one of another fits. */
    private @Nullable Slot takeFrom(final int given, final int lengthClass) {
        Slot taken = null;
        Slot unused = free.get(given).take();
        while (unused != null) {
            free(unused);
            taken = takeNew(lengthClass);
            unused = taken == null ? free.get(given).take() : null;
        }
        return taken;
    }

    private void free(final Slot slot) {
        slot.buffer.wrap(0, 0);
        BufferUtil.free(slot.memory);
        slot.memory = null;
        available.addAndGet(lengthOf(slot.lengthClass));
        withoutMemory.give(slot);
    }

    Slot at(final int index) {
        return slots[index];
    }

    void release(final Slot slot) {
        free.get(slot.lengthClass).give(slot);
    }

    /** Frees the memory of the slots that nobody has; called once no thread takes any more. */
    void close() {
        for (final FreeList<Slot> each : free) {
            Slot slot = each.take();
            while (slot != null) {
                free(slot);
                slot = each.take();
            }
        }
    }
}
