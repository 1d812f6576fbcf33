package io.penstock.broker.query.collect;

import io.penstock.broker.query.exact.SecretHash;

/** Numbers different integers from 0, in the order in which they come. Allocates only to grow. */
final class LongIds {
    private static final int CAPACITY_INITIAL = 64;

    private long[] keys = new long[CAPACITY_INITIAL];

    /** Number and 1; 0 for none. At most half of the places are taken. */
    private int[] entries = new int[CAPACITY_INITIAL];

    private int count;

    /** The number of an integer, a new one if need be. */
    int idOf(final long key) {
        int place = place(key);
        while (entries[place] != 0) {
            if (keys[place] == key) {
                return entries[place] - 1;
            }
            place = (place + 1) & (entries.length - 1);
        }
        if (2 * count >= entries.length) {
            grow();
            return idOf(key);
        }
        keys[place] = key;
        count++;
        entries[place] = count;
        return count - 1;
    }

    private int place(final long key) {
        return SecretHash.of(key) & (entries.length - 1);
    }

    private void grow() {
        final long[] oldKeys = keys;
        final int[] oldEntries = entries;
        keys = new long[2 * oldKeys.length];
        entries = new int[2 * oldEntries.length];
        for (int i = 0; i < oldEntries.length; i++) {
            if (oldEntries[i] != 0) {
                int place = place(oldKeys[i]);
                while (entries[place] != 0) {
                    place = (place + 1) & (entries.length - 1);
                }
                keys[place] = oldKeys[i];
                entries[place] = oldEntries[i];
            }
        }
    }
}
