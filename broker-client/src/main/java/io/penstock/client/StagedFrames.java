package io.penstock.client;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory for frames that are too long for the ring: a bounded number of slots, each of which takes the longest frame.
 * A slot gets its memory when it is first used. Threads take slots, the agent gives them back.
 */
final class StagedFrames {
    private final Slot[] slots;
    private final ManyToManyConcurrentArrayQueue<Slot> free;

    /** Owned by the thread that took it until its index is in the ring, then by the agent. */
    static final class Slot {
        private final int index;
        private final int capacity;
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private @Nullable ByteBuffer memory;

        private Slot(final int index, final int capacity) {
            this.index = index;
            this.capacity = capacity;
        }

        int index() {
            return index;
        }

        UnsafeBuffer buffer() {
            if (memory == null) {
                memory = ByteBuffer.allocateDirect(capacity);
                buffer.wrap(memory);
            }
            return buffer;
        }
    }

    StagedFrames(final long length, final int slotLength) {
        final int count = (int) Math.max(1, Math.min(1 << 16, length / slotLength));
        slots = new Slot[count];
        free = new ManyToManyConcurrentArrayQueue<>(Math.max(2, count));
        for (int i = 0; i < count; i++) {
            slots[i] = new Slot(i, slotLength);
            free.offer(slots[i]);
        }
    }

    /** Returns null when all are in use. */
    @Nullable
    Slot take() {
        return free.poll();
    }

    Slot at(final int index) {
        return slots[index];
    }

    void release(final Slot slot) {
        free.offer(slot);
    }

    /** Frees the memory of the slots that nobody has; called once no thread takes any more. */
    void close() {
        Slot slot;
        while ((slot = free.poll()) != null) {
            BufferUtil.free(slot.memory);
        }
    }
}
