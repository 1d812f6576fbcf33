package io.penstock.simulator;

import io.penstock.simulator.Reached.State;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;

/** What a file is, whatever its names: as readers see it, as the disk has it, and the writes in between. */
final class SimFile {
    static final int SECTOR_LENGTH = 512;

    private static final int LENGTH_INITIAL = 64 * 1024;

    /** As it is read. */
    private byte[] seen = new byte[0];

    private int length;

    /** As it would be after a power cut. */
    private byte[] stored = new byte[0];

    private int storedLength;
    private final ArrayDeque<Write> unsynced = new ArrayDeque<>();

    private static final class Write {
        private final int position;
        private final byte[] bytes;

        private Write(final int position, final byte[] bytes) {
            this.position = position;
            this.bytes = bytes;
        }

        /** Cuts the file to its position instead of writing. */
        boolean isCut() {
            return bytes.length == 0;
        }
    }

    int length() {
        return length;
    }

    byte[] bytes() {
        return seen;
    }

    void write(final int position, final byte[] bytes) {
        seen = apply(seen, position, bytes);
        length = Math.max(length, position + bytes.length);
        unsynced.add(new Write(position, bytes));
    }

    void cut(final int newLength) {
        Arrays.fill(seen, newLength, length, (byte) 0);
        length = newLength;
        unsynced.add(new Write(newLength, new byte[0]));
    }

    void sync() {
        for (final Write write : unsynced) {
            store(write);
        }
        unsynced.clear();
    }

    boolean isSynced() {
        return unsynced.isEmpty();
    }

    /** A sync fails: of each write nobody knows, and none of them will be tried again, though it can still be read. */
    void failSync(final SplittableRandom random, final Reached reached) {
        for (final Write write : unsynced) {
            if (random.nextBoolean()) {
                store(write);
            } else {
                reached.add(State.SYNC_FAILED_AND_LOST);
            }
        }
        unsynced.clear();
    }

    /** The power goes: each write has come to the disk, or has not, or has in part. */
    void loseUnsynced(final SplittableRandom random, final Reached reached) {
        for (final Write write : unsynced) {
            switch (random.nextInt(write.isCut() ? 2 : 3)) {
                case 0 -> store(write);
                case 1 -> reached.add(State.WRITE_DROPPED);
                default -> {
                    reached.add(State.WRITE_TORN);
                    tear(write, random);
                }
            }
        }
        unsynced.clear();
        seen = stored.clone();
        length = storedLength;
    }

    /** The file as a power cut without further losses would leave it. */
    void flip(final int position, final int bit) {
        seen[position] ^= (byte) (1 << bit);
        stored[position] ^= (byte) (1 << bit);
    }

    /** Replaces what the file is, for bugs that are planted. */
    void replace(final byte[] bytes) {
        unsynced.clear();
        seen = bytes.clone();
        stored = bytes.clone();
        length = bytes.length;
        storedLength = length;
    }

    private void store(final Write write) {
        if (write.isCut()) {
            if (write.position < storedLength) {
                Arrays.fill(stored, write.position, storedLength, (byte) 0);
            }
            storedLength = Math.min(storedLength, write.position);
        } else {
            stored = apply(stored, write.position, write.bytes);
            storedLength = Math.max(storedLength, write.position + write.bytes.length);
        }
    }

    private void tear(final Write write, final SplittableRandom random) {
        for (int at = 0; at < write.bytes.length; at += SECTOR_LENGTH) {
            if (random.nextBoolean()) {
                final int end = Math.min(write.bytes.length, at + SECTOR_LENGTH);
                store(new Write(write.position + at, Arrays.copyOfRange(write.bytes, at, end)));
            }
        }
    }

    private static byte[] apply(final byte[] target, final int position, final byte[] bytes) {
        byte[] result = target;
        if (position + bytes.length > result.length) {
            result = Arrays.copyOf(target, Math.max(LENGTH_INITIAL, position + bytes.length));
        }
        System.arraycopy(bytes, 0, result, position, bytes.length);
        return result;
    }
}
