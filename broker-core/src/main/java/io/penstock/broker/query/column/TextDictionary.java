package io.penstock.broker.query.column;

import io.penstock.broker.filter.value.Register;
import io.penstock.broker.query.exact.SecretHash;
import io.penstock.broker.shard.store.ColumnMemory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The different texts of a column, numbered from 0. Texts are added and never taken away, up to a bound. Any thread may
 * look a text up, by its number or the other way round; one at a time adds one. On the heap, and counted as memory of
 * columns.
 *
 * <p>A text is written before the count covers it, and the count covers it before its number can be found: each with release.
 */
public final class TextDictionary {
    /** The most texts. */
    public static final int COUNT_MAX = 1 << 15;

    /** The longest text, in bytes. */
    static final int TEXT_LENGTH_MAX = 128;

    /** No number: the text is not in the dictionary. */
    public static final int NONE = -1;

    private static final int COUNT_INITIAL = 64;
    private static final int LENGTH_INITIAL = 1024;
    private static final long LENGTH_OF_EMPTY = LENGTH_INITIAL + 4L * Integer.BYTES * COUNT_INITIAL;
    private static final int TRY_COUNT = 1 << 12;

    private final ColumnMemory memory;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean isAdding = new AtomicBoolean();

    /** Replaced by a longer one, under {@link #isAdding}, before a text is published that only that one has. */
    private final AtomicReference<Texts> texts = new AtomicReference<>(new Texts(COUNT_INITIAL, LENGTH_INITIAL));

    TextDictionary(final ColumnMemory memory) {
        this.memory = memory;
    }

    /**
     * How many texts there are.
     *
     * @return count; the numbers below it can be looked up.
     */
    public int count() {
        return count.getAcquire();
    }

    /**
     * Lets a register show a text.
     *
     * @param code number of the text, below {@link #count}.
     * @param into the register.
     */
    public void load(final int code, final Register into) {
        final Texts present = texts.getAcquire();
        final int start = present.start(code);
        into.set(present.bytes, start, present.ends[code] - start);
    }

    /**
     * Orders two texts by their bytes, which is by code points.
     *
     * @param code  number of a text, below {@link #count}.
     * @param other number of another one.
     * @return negative when the first one comes first.
     */
    public int compare(final int code, final int other) {
        final Texts present = texts.getAcquire();
        final byte[] bytes = present.bytes.byteArray();
        return Arrays.compareUnsigned(
                bytes, present.start(code), present.ends[code], bytes, present.start(other), present.ends[other]);
    }

    /** The number of a text, which is added if need be; {@link #NONE} when there is no room. */
    int code(final DirectBuffer buffer, final int offset, final int length) {
        if (length > TEXT_LENGTH_MAX) {
            return NONE;
        }
        final int hash = SecretHash.of(buffer, offset, length);
        final int known = texts.getAcquire().find(buffer, offset, length, hash);
        if (known != NONE) {
            return known;
        }
        for (int i = 0; i < TRY_COUNT; i++) {
            if (isAdding.compareAndSet(false, true)) {
                try {
                    return add(buffer, offset, length, hash);
                } finally {
                    isAdding.set(false);
                }
            }
            // Whoever adds a text is done after some hundred instructions, unless it has lost its processor.
            Thread.onSpinWait();
        }
        return NONE;
    }

    /** Whether it has room for no other text, whatever memory there is. */
    boolean isFull() {
        return count() == COUNT_MAX;
    }

    /** The bytes that it has taken of the memory of columns. */
    long lengthTaken() {
        return texts.getAcquire().length() - LENGTH_OF_EMPTY;
    }

    private int add(final DirectBuffer buffer, final int offset, final int length, final int hash) {
        final Texts before = texts.getAcquire();
        final int known = before.find(buffer, offset, length, hash);
        final int code = count.getPlain();
        if (known != NONE || code == COUNT_MAX) {
            return known;
        }
        final int start = before.start(code);
        if (code == before.ends.length || start + length > before.bytes.capacity()) {
            final Texts longer = new Texts(
                    code == before.ends.length ? 2 * code : before.ends.length,
                    start + length > before.bytes.capacity() ? 2 * before.bytes.capacity() : before.bytes.capacity());
            if (!memory.take(longer.length() - before.length())) {
                return NONE;
            }
            longer.takeOver(before, code);
            texts.setRelease(longer);
        }
        final Texts present = texts.getAcquire();
        present.put(code, buffer, offset, length, hash);
        // Before others can find the number: who has found one knows that there are so many.
        count.setRelease(code + 1);
        present.publish(code);
        return code;
    }

    /** The texts one after the other, and a table of their numbers by their hashes, at most half full. */
    private static final class Texts {
        private final UnsafeBuffer bytes;
        private final int[] ends;
        private final int[] hashes;

        /** Number and 1; 0 for none. */
        private final AtomicIntegerArray table;

        Texts(final int countMax, final int lengthMax) {
            bytes = new UnsafeBuffer(new byte[lengthMax]);
            ends = new int[countMax];
            hashes = new int[countMax];
            table = new AtomicIntegerArray(2 * countMax);
        }

        int start(final int code) {
            return code == 0 ? 0 : ends[code - 1];
        }

        long length() {
            return bytes.capacity() + 4L * Integer.BYTES * ends.length;
        }

        int find(final DirectBuffer buffer, final int offset, final int length, final int hash) {
            int place = hash & (table.length() - 1);
            int entry = table.getAcquire(place);
            while (entry != 0) {
                if (isText(entry - 1, buffer, offset, length, hash)) {
                    return entry - 1;
                }
                place = (place + 1) & (table.length() - 1);
                entry = table.getAcquire(place);
            }
            return NONE;
        }

        private boolean isText(
                final int code, final DirectBuffer buffer, final int offset, final int length, final int hash) {
            final int start = start(code);
            if (hashes[code] != hash || ends[code] - start != length) {
                return false;
            }
            for (int i = 0; i < length; i++) {
                if (bytes.getByte(start + i) != buffer.getByte(offset + i)) {
                    return false;
                }
            }
            return true;
        }

        void put(final int code, final DirectBuffer buffer, final int offset, final int length, final int hash) {
            final int start = start(code);
            bytes.putBytes(start, buffer, offset, length);
            ends[code] = start + length;
            hashes[code] = hash;
        }

        void takeOver(final Texts other, final int count) {
            bytes.putBytes(0, other.bytes, 0, other.start(count));
            System.arraycopy(other.ends, 0, ends, 0, count);
            System.arraycopy(other.hashes, 0, hashes, 0, count);
            for (int code = 0; code < count; code++) {
                publish(code);
            }
        }

        private void publish(final int code) {
            int place = hashes[code] & (table.length() - 1);
            while (table.getPlain(place) != 0) {
                place = (place + 1) & (table.length() - 1);
            }
            table.setRelease(place, code + 1);
        }
    }
}
