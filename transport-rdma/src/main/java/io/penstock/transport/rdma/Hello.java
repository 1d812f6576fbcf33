package io.penstock.transport.rdma;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The private data of connect, accept and reject, little endian:
 *
 * <pre>
 *      0       4          8             12            16
 *     +-------+----------+-------------+-------------+
 *     | magic | version  | slot count  | slot length |     of a reject: magic, version, reason, 0
 *     +-------+----------+-------------+-------------+
 * </pre>
 */
final class Hello {
    static final int LENGTH = 16;

    /** Why a request is refused. */
    enum Refusal {
        OTHER_VERSION(1, "it speaks another version (use the same version of Penstock at both ends)"),
        NO_MEMORY(
                2,
                "it has no memory left for another connection (raise its penstock.rdma.memory, or its ulimit -l; its"
                        + " log says which)"),
        TOO_MANY_WAIT(3, "too many wait to be let in (try again later)"),
        CLOSING(4, "it is closing (try again later)");

        final int number;
        final String text;

        Refusal(final int number, final String text) {
            this.number = number;
            this.text = text;
        }
    }

    private static final int MAGIC = 0x4D_44_52_50;
    private static final int VERSION = 2;
    private static final int VERSION_OFFSET = 4;
    private static final int COUNT_OFFSET = 8;
    private static final int SLOT_LENGTH_OFFSET = 12;
    private static final int SLOT_COUNT_MAX = 1 << 16;

    private Hello() {}

    static UnsafeBuffer of(final int slotCount) {
        return buffer(slotCount, Chunks.SLOT_LENGTH);
    }

    static UnsafeBuffer of(final Refusal refusal) {
        return buffer(refusal.number, 0);
    }

    private static UnsafeBuffer buffer(final int count, final int slotLength) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        buffer.putInt(0, MAGIC, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(VERSION_OFFSET, VERSION, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(COUNT_OFFSET, count, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(SLOT_LENGTH_OFFSET, slotLength, ByteOrder.LITTLE_ENDIAN);
        return buffer;
    }

    /** The number of slots that a peer has, or 0 when it is none that this understands. */
    static int slotCount(final DirectBuffer buffer, final int offset, final int length) {
        if (!isOurs(buffer, offset, length)
                || buffer.getInt(offset + SLOT_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN) != Chunks.SLOT_LENGTH) {
            return 0;
        }
        final int count = buffer.getInt(offset + COUNT_OFFSET, ByteOrder.LITTLE_ENDIAN);
        return count > 1 && count <= SLOT_COUNT_MAX ? count : 0;
    }

    /** Why a peer refused. */
    static String refusal(final DirectBuffer buffer, final int offset, final int length) {
        if (isOurs(buffer, offset, length)) {
            final int number = buffer.getInt(offset + COUNT_OFFSET, ByteOrder.LITTLE_ENDIAN);
            for (final Refusal refusal : Refusal.values()) {
                if (refusal.number == number) {
                    return refusal.text;
                }
            }
        }
        return "it did not say why (is it a Penstock?)";
    }

    private static boolean isOurs(final DirectBuffer buffer, final int offset, final int length) {
        return length >= LENGTH
                && buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN) == MAGIC
                && buffer.getInt(offset + VERSION_OFFSET, ByteOrder.LITTLE_ENDIAN) == VERSION;
    }
}
