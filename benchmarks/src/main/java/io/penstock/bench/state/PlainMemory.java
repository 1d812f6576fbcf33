package io.penstock.bench.state;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/** Off-heap memory that is filled from front to back, in pieces. Confined to one thread. */
final class PlainMemory implements AutoCloseable {
    private static final int PIECE_LENGTH = 4 << 20;

    private final List<Long> pieces = new ArrayList<>();
    private final long[] addresses;
    private int count;
    private long at;
    private long end;

    /** @param count of documents that it is for. */
    PlainMemory(final int count) {
        addresses = new long[count];
    }

    void add(
            final DirectBuffer keys,
            final int keyOffset,
            final DirectBuffer documents,
            final int offset,
            final int length) {
        if (at + OrderDocuments.ID_LENGTH + length > end) {
            at = UnsafeApi.allocateMemory(PIECE_LENGTH);
            end = at + PIECE_LENGTH;
            pieces.add(at);
        }
        addresses[count++] = at;
        UnsafeApi.copyMemory(keys.byteArray(), keys.addressOffset() + keyOffset, null, at, OrderDocuments.ID_LENGTH);
        UnsafeApi.copyMemory(
                documents.byteArray(), documents.addressOffset() + offset, null, at + OrderDocuments.ID_LENGTH, length);
        at += OrderDocuments.ID_LENGTH + length;
    }

    @Override
    public void close() {
        pieces.forEach(UnsafeApi::freeMemory);
        pieces.clear();
    }
}
