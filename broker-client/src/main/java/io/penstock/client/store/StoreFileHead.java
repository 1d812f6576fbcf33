package io.penstock.client.store;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The head of a store's file, which says what the file is and what the other one of the store is. Confined to the thread
 * whose turn it is. All fields are little endian.
 *
 * <pre>
 *  | magic (8) | version (4) | id * 16 + other (4) | generation (8) | CRC32C (4) | ~CRC32C (4) |
 * </pre>
 *
 * {@code id} is that of the store, {@code other} says what its other file is: 1 = any, since it is being begun anew, 2 = the
 * one before, 3 = the one that follows. Version 1 had 0 there, and no zeros after the last record.
 */
final class StoreFileHead {
    static final int LENGTH = 32;

    /** The other file is being begun anew, and nothing of it is needed. */
    static final int OTHER_ANY = 1;

    /** The other file has the generation before. */
    static final int OTHER_BEFORE = 2;

    /** The other file has the generation that follows. */
    static final int OTHER_AFTER = 3;

    /** What is wrong with a file that a store has not made. */
    static final String FOREIGN = "is no file of this store";

    private static final int VERSION = 2;
    private static final int VERSION_WITHOUT_ZEROS = 1;
    private static final int OTHER_BITS = 4;
    private static final int VERSION_OFFSET = SIZE_OF_LONG;
    private static final int OTHER_OFFSET = VERSION_OFFSET + SIZE_OF_INT;
    private static final int GENERATION_OFFSET = OTHER_OFFSET + SIZE_OF_INT;
    private static final int CRC_OFFSET = LENGTH - 2 * SIZE_OF_INT;
    private static final long NOT_BEGUN = -1;

    private final Path path;
    private final long magic;
    private final CRC32C crc = new CRC32C();
    private int version = VERSION;
    private int id;
    private int other;
    private long generation = NOT_BEGUN;

    StoreFileHead(final Path path, final long magic) {
        this.path = path;
        this.magic = magic;
    }

    /** Whether there is one. */
    boolean isBegun() {
        return generation != NOT_BEGUN;
    }

    /** Whether zeros follow the last record. */
    boolean hasZeros() {
        return version == VERSION;
    }

    long generation() {
        return generation;
    }

    int id() {
        return id;
    }

    int other() {
        return other;
    }

    /** Takes what was read of it. A head that is shorter, or all zeros, has not begun. */
    void read(final ByteBuffer head) {
        generation = NOT_BEGUN;
        if (isBlank(head)) {
            return;
        }
        if (!hasMagic(head)) {
            throw StoreFailures.damage(path, 0, FOREIGN);
        }
        if (head.position() < LENGTH) {
            return;
        }
        final int checksum = checksum(head);
        if (head.getInt(CRC_OFFSET) != checksum || head.getInt(CRC_OFFSET + SIZE_OF_INT) != ~checksum) {
            throw StoreFailures.damage(path, 0, "the checksum of its head is wrong");
        }
        version = head.getInt(VERSION_OFFSET);
        if (version != VERSION && version != VERSION_WITHOUT_ZEROS) {
            throw StoreFailures.damage(path, VERSION_OFFSET, "it is of version " + version + ", not " + VERSION);
        }
        id = head.getInt(OTHER_OFFSET) >>> OTHER_BITS;
        other = head.getInt(OTHER_OFFSET) & (1 << OTHER_BITS) - 1;
        generation = head.getLong(GENERATION_OFFSET);
    }

    private static boolean isBlank(final ByteBuffer head) {
        boolean isBlank = true;
        for (int i = 0; i < head.position(); i++) {
            isBlank &= head.get(i) == 0;
        }
        return isBlank;
    }

    /** Whether it begins as a head does, as far as it goes. */
    private boolean hasMagic(final ByteBuffer head) {
        boolean hasMagic = true;
        for (int i = 0; i < Math.min(head.position(), SIZE_OF_LONG); i++) {
            hasMagic &= head.get(i) == (byte) (magic >>> (i * Byte.SIZE));
        }
        return hasMagic;
    }

    /** The file is emptied: until it is begun anew it has none. */
    void clear() {
        generation = NOT_BEGUN;
    }

    /** The file is begun anew. */
    void begin(final long newGeneration, final int newId) {
        generation = newGeneration;
        renew(newId);
    }

    /** The file is made one of the present version. */
    void renew(final int newId) {
        id = newId;
        version = VERSION;
    }

    /** Writes it with what the other file is, and makes it ready to be put into the file. */
    void write(final ByteBuffer target, final int newOther) {
        target.clear();
        target.putLong(magic)
                .putInt(version)
                .putInt(id << OTHER_BITS | newOther)
                .putLong(generation);
        final int checksum = checksum(target);
        target.putInt(checksum).putInt(~checksum).flip();
    }

    /** The new description of the other file is written. */
    void onWritten(final int newOther) {
        other = newOther;
    }

    private int checksum(final ByteBuffer head) {
        crc.reset();
        for (int i = 0; i < CRC_OFFSET; i++) {
            crc.update(head.get(i));
        }
        return (int) crc.getValue();
    }
}
