package io.penstock.bench.state;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * A hand-written hash table from the ten bytes of a key to the address of its version: one array, linear probing, at most
 * half full, and it never grows. Confined to one thread.
 */
final class PlainIndex {
    private static final int TAIL_OFFSET = OrderDocuments.ID_LENGTH - Long.BYTES;

    private final long[] addresses;
    private final int mask;

    /** Indexes all rows. Good until one of them changes. */
    PlainIndex(final StateStore store) {
        final int rowCount = store.rowCount();
        addresses = new long[BitUtil.findNextPositivePowerOfTwo(Math.max(2, 2 * rowCount))];
        mask = addresses.length - 1;
        for (int row = 0; row < rowCount; row++) {
            final long version = store.newest(row);
            if (version != 0) {
                final long key = Version.keyAddress(version);
                int slot = slot(UnsafeApi.getLong(key), UnsafeApi.getLong(key + TAIL_OFFSET));
                while (addresses[slot] != 0) {
                    slot = slot + 1 & mask;
                }
                addresses[slot] = version;
            }
        }
    }

    /** The version of a key, or 0. */
    long find(final DirectBuffer keys, final int offset) {
        final long head = keys.getLong(offset);
        final long tail = keys.getLong(offset + TAIL_OFFSET);
        for (int slot = slot(head, tail); addresses[slot] != 0; slot = slot + 1 & mask) {
            final long key = Version.keyAddress(addresses[slot]);
            if (UnsafeApi.getLong(key) == head && UnsafeApi.getLong(key + TAIL_OFFSET) == tail) {
                return addresses[slot];
            }
        }
        return 0;
    }

    private int slot(final long head, final long tail) {
        return (int) OrderDocuments.mix(head * 31 + tail) & mask;
    }
}
