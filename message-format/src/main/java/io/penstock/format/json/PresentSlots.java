package io.penstock.format.json;

import java.util.Arrays;

/** Slots of the fields that were come upon in a message, in its order. Confined to the reader's agent. */
final class PresentSlots {
    private int[] slots;
    private int count;

    PresentSlots(final int capacity) {
        slots = new int[capacity];
    }

    /** Makes room for as many. */
    void ensureCapacity(final int capacity) {
        if (capacity > slots.length) {
            slots = Arrays.copyOf(slots, capacity);
        }
    }

    /** Goes to another message. */
    void clear() {
        count = 0;
    }

    /** Notes a slot, once a message. */
    void add(final int slot) {
        slots[count++] = slot;
    }

    int count() {
        return count;
    }

    int get(final int index) {
        return slots[index];
    }
}
