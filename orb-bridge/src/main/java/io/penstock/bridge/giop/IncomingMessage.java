package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that has come in part. Large pieces are kept where they were received; small ones are copied together, so that
 * many small ones do not keep many large buffers. Owned by the thread that reads.
 */
final class IncomingMessage {
    /** From this length on a piece is kept where it is, in bytes. */
    static final int PIECE_LENGTH_MIN = 16 * 1024;

    /** Length of the beginning of a refused message that is kept, with its number, in bytes. */
    static final int BEGIN_LENGTH = 2048;

    private static final int TAIL_LENGTH_MIN = 1024;
    private static final int TAIL_LENGTH_MAX = 64 * 1024;

    private final MessageHeader header;
    private final List<ByteBuf> pieces = new ArrayList<>(2);
    private @Nullable ByteBuf tail;
    private int length;
    private int[] fragments = {};
    private int fragmentCount;
    private MessageSink.@Nullable Refusal refusal;
    private boolean isBeginCounted;

    IncomingMessage(final MessageHeader header) {
        this.header = header;
    }

    MessageHeader header() {
        return header;
    }

    /** Length of the kept bytes. */
    int length() {
        return length;
    }

    MessageSink.@Nullable Refusal refusal() {
        return refusal;
    }

    void countBegin() {
        isBeginCounted = true;
    }

    /** Bytes for which its beginning counts. */
    int beginCounted() {
        return isBeginCounted ? BEGIN_LENGTH : 0;
    }

    /** Nothing is kept of it from now on but its begin. */
    void refuse(final MessageSink.Refusal reason, final ByteBufAllocator allocator) {
        if (refusal == null && length > BEGIN_LENGTH) {
            final ByteBuf all = take(allocator);
            pieces.add(allocator.buffer(BEGIN_LENGTH, BEGIN_LENGTH).writeBytes(all, BEGIN_LENGTH));
            all.release();
            length = BEGIN_LENGTH;
        }
        refusal = refusal == null ? reason : refusal;
    }

    /** A fragment of GIOP 1.1 begins: its values are aligned anew. Returns false when there are too many. */
    boolean beginFragment(final long countMax) {
        if (fragmentCount >= countMax) {
            return false;
        }
        if (fragmentCount == fragments.length) {
            fragments = Arrays.copyOf(fragments, Math.max(8, 2 * fragmentCount));
        }
        fragments[fragmentCount++] = length;
        return true;
    }

    /**
     * Keeps bytes.
     *
     * @param in        to take them from.
     * @param count     of them.
     * @param expected  at least this many more are to come after them.
     * @param allocator makes buffers.
     * @return how many of them were copied.
     */
    int append(final ByteBuf in, final int count, final long expected, final ByteBufAllocator allocator) {
        length += count;
        if (count >= PIECE_LENGTH_MIN) {
            closeTail();
            pieces.add(in.readRetainedSlice(count));
            return 0;
        }
        int left = count;
        while (left > 0) {
            ByteBuf room = tail;
            if (room == null || !room.isWritable()) {
                closeTail();
                final long wanted = Math.max(left + expected, Math.max(TAIL_LENGTH_MIN, length));
                final int roomLength = (int) Math.min(TAIL_LENGTH_MAX, wanted);
                room = allocator.buffer(roomLength, roomLength);
                tail = room;
            }
            final int part = Math.min(left, room.writableBytes());
            room.writeBytes(in, part);
            left -= part;
        }
        return count;
    }

    private void closeTail() {
        if (tail != null) {
            pieces.add(tail);
            tail = null;
        }
    }

    /** The number of the request, which is what a message of GIOP 1.2 begins with; it may lie in two pieces. */
    int id() {
        int id = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            final int shift = header.isLittleEndian() ? i : Integer.BYTES - 1 - i;
            id |= byteAt(i) << (Byte.SIZE * shift);
        }
        return id;
    }

    private int byteAt(final int offset) {
        int left = offset;
        for (final ByteBuf piece : pieces) {
            if (left < piece.readableBytes()) {
                return piece.getUnsignedByte(piece.readerIndex() + left);
            }
            left -= piece.readableBytes();
        }
        final ByteBuf last = tail;
        if (last == null || left >= last.readableBytes()) {
            throw new IllegalStateException("a message has come without its number");
        }
        return last.getUnsignedByte(last.readerIndex() + left);
    }

    /** All that has come, in one buffer, which its caller releases. Nothing is copied. */
    ByteBuf take(final ByteBufAllocator allocator) {
        closeTail();
        if (pieces.size() == 1) {
            return pieces.remove(0);
        }
        final CompositeByteBuf all = allocator.compositeBuffer(Math.max(1, pieces.size()));
        for (final ByteBuf each : pieces) {
            all.addComponent(true, each);
        }
        pieces.clear();
        return all;
    }

    /** Where fragments begin that count positions anew. */
    int[] fragments() {
        return Arrays.copyOf(fragments, fragmentCount);
    }

    void release() {
        closeTail();
        pieces.forEach(ByteBuf::release);
        pieces.clear();
    }
}
