package io.penstock.format.json;

import java.util.Arrays;

/** The fields of a reader by slot, and which of them were come upon in the message. Confined to the reader's agent. */
final class JsonFields {
    /** A slot without a field has one that nobody asks for. */
    private JsonField[] fields;

    private int[] presentSlots;
    private int presentCount;

    JsonFields(final int count) {
        fields = new JsonField[count];
        presentSlots = new int[count];
    }

    void put(final int slot, final JsonField field) {
        if (slot >= fields.length) {
            fields = Arrays.copyOf(fields, Math.max(slot + 1, 2 * fields.length));
            presentSlots = Arrays.copyOf(presentSlots, fields.length);
        }
        fields[slot] = field;
    }

    JsonField get(final int slot) {
        return fields[slot];
    }

    /** Goes to another message. */
    void clearPresent() {
        presentCount = 0;
    }

    /** The field of a slot, come upon in the message for the first time. */
    JsonField present(final int slot) {
        presentSlots[presentCount++] = slot;
        return fields[slot];
    }

    int presentCount() {
        return presentCount;
    }

    int presentSlot(final int index) {
        return presentSlots[index];
    }
}
