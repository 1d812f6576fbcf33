package io.penstock.transport.rdma;

import org.agrona.DirectBuffer;

/** The memory that bodies are sent from where they are, as one device knows it. Immutable; any thread. */
final class BodyKeys {
    /** No memory: every body is copied. */
    static final BodyKeys NONE = new BodyKeys(new RegisteredMemory[0]);

    private final long[] starts;
    private final long[] ends;
    private final int[] keys;

    BodyKeys(final RegisteredMemory[] memories) {
        starts = new long[memories.length];
        ends = new long[memories.length];
        keys = new int[memories.length];
        for (int i = 0; i < memories.length; i++) {
            starts[i] = memories[i].address();
            ends[i] = memories[i].address() + memories[i].length();
            keys[i] = memories[i].localKey();
        }
    }

    /**
     * Finds the memory of a body.
     *
     * @param body   buffer that holds it.
     * @param offset of the body.
     * @param length of the body in bytes.
     * @return index for {@link #key}, or a negative number.
     */
    int find(final DirectBuffer body, final int offset, final int length) {
        if (body.byteArray() == null) {
            final long start = body.addressOffset() + offset;
            for (int i = 0; i < keys.length; i++) {
                if (start >= starts[i] && start + length <= ends[i]) {
                    return i;
                }
            }
        }
        return -1;
    }

    int key(final int index) {
        return keys[index];
    }
}
