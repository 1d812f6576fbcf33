package io.penstock.client;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import io.penstock.file.FileErrors;
import io.penstock.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A file of a client's store, written record by record, with zeros behind the last one: they are written ahead, so that a
 * file that ends without any was cut off. Confined to the thread whose turn it is. All fields are little endian.
 *
 * <pre>
 *  head:    | magic (8) | version (4) | id * 16 + other (4) | generation (8) | CRC32C (4) | ~CRC32C (4) |
 *  record:  | length (4) | ~length (4) | type (4) | text length (4) | sequence (8) | released (8) | text ... 0 |
 *           | CRC32C (4) | end mark (4) |
 * </pre>
 *
 * A record's length is of all of it, a multiple of 8. Its CRC32C begins with the generation's bytes, and is over all
 * before it. {@code id} is that of the store, {@code other} says what its other file is: 1 = any, since it is being begun
 * anew, 2 = the one before, 3 = the one that follows. Version 1 had 0 there, and no zeros behind the last record.
 */
final class StoreFile implements AutoCloseable {
    static final int HEAD_LENGTH = 32;

    /** The other file is being begun anew, and nothing of it is needed. */
    static final int OTHER_ANY = 1;

    /** The other file has the generation before. */
    static final int OTHER_BEFORE = 2;

    /** The other file has the generation that follows. */
    static final int OTHER_AFTER = 3;

    private static final int VERSION = 2;
    private static final int VERSION_WITHOUT_ZEROS = 1;
    private static final int OTHER_BITS = 4;
    private static final int VERSION_OFFSET = SIZE_OF_LONG;
    private static final int OTHER_OFFSET = VERSION_OFFSET + SIZE_OF_INT;
    private static final int GENERATION_OFFSET = OTHER_OFFSET + SIZE_OF_INT;
    private static final int HEAD_CRC_OFFSET = HEAD_LENGTH - 2 * SIZE_OF_INT;

    private static final int CHECK_OFFSET = SIZE_OF_INT;
    private static final int TYPE_OFFSET = CHECK_OFFSET + SIZE_OF_INT;
    private static final int TEXT_LENGTH_OFFSET = TYPE_OFFSET + SIZE_OF_INT;
    private static final int SEQUENCE_OFFSET = TEXT_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int RELEASED_OFFSET = SEQUENCE_OFFSET + SIZE_OF_LONG;
    private static final int TEXT_OFFSET = RELEASED_OFFSET + SIZE_OF_LONG;
    private static final int TAIL_LENGTH = 2 * SIZE_OF_INT;
    private static final int ALIGNMENT = 8;
    private static final int LENGTH_MIN = TEXT_OFFSET + TAIL_LENGTH;
    private static final int END_MARK = 0x444E4550;
    private static final int SCRATCH_LENGTH = 4 * 1024;

    /** So many zeros at least are behind the last record. */
    private static final int ZEROS_MIN = 8;

    /** Of a file that is begun. It is doubled, up to a limit, each time that it is not enough. */
    private static final int ROOM_MIN = 64 * 1024;

    private static final int ROOM_STEP_MAX = 4 * 1024 * 1024;

    /** Disks write so many bytes at once at least. */
    private static final int SECTOR_LENGTH = 512;

    private static final long NOT_BEGUN = -1;

    private final Path path;
    private final long magic;
    private final FileChannel channel;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer scratch = newScratch(SCRATCH_LENGTH);
    private int version = VERSION;
    private int id;
    private int other;
    private long generation = NOT_BEGUN;
    private long length;

    /** Where the zeros end that were written ahead. */
    private long room;

    /** What is in the file behind a failed sync or a failed cut nobody knows. */
    private boolean isBroken;

    /** Told of what a file holds. */
    interface RecordHandler {
        /** A record; returns null, or what is wrong with it. */
        @Nullable
        String onRecord(int type, long sequence, long released, UnsafeBuffer text, int offset, int length);
    }

    private StoreFile(final Path path, final long magic, final FileChannel channel) {
        this.path = path;
        this.magic = magic;
        this.channel = channel;
    }

    /** Opens a file, or makes an empty one; it has to be read before it is appended to. */
    static StoreFile open(final Path path, final long magic) {
        try {
            final FileChannel channel =
                    OwnerOnly.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            return new StoreFile(path, magic, channel);
        } catch (final IOException e) {
            throw failure(path, "cannot be opened", e);
        }
    }

    FileChannel channel() {
        return channel;
    }

    Path path() {
        return path;
    }

    /** Whether it has a head. */
    boolean isBegun() {
        return generation != NOT_BEGUN;
    }

    /** Rises with each turn of the store's files. */
    long generation() {
        return generation;
    }

    /** Of the store, the same in both files; 0 when the file does not say so. */
    int id() {
        return id;
    }

    /** What it says of the other file; 0 when it does not say. */
    int other() {
        return other;
    }

    /** Of head and records, in bytes. */
    long length() {
        return length;
    }

    /** Reads the head only. A file that is shorter, or all zeros there, has not begun. */
    void readHead() {
        final ByteBuffer head = ByteBuffer.allocate(HEAD_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        try {
            readFully(head, 0);
        } catch (final IOException e) {
            throw failure(path, "cannot be read", e);
        }
        boolean isBlank = head.position() < HEAD_LENGTH;
        if (!isBlank) {
            isBlank = true;
            for (int i = 0; i < HEAD_LENGTH; i++) {
                isBlank &= head.get(i) == 0;
            }
        }
        generation = NOT_BEGUN;
        if (isBlank) {
            return;
        }
        if (head.getLong(0) != magic) {
            throw damage(0, "is no file of this store");
        }
        final int checksum = headChecksum(head);
        if (head.getInt(HEAD_CRC_OFFSET) != checksum || head.getInt(HEAD_CRC_OFFSET + SIZE_OF_INT) != ~checksum) {
            throw damage(0, "the checksum of its head is wrong");
        }
        version = head.getInt(VERSION_OFFSET);
        if (version != VERSION && version != VERSION_WITHOUT_ZEROS) {
            throw damage(VERSION_OFFSET, "it is of version " + version + ", not " + VERSION);
        }
        id = head.getInt(OTHER_OFFSET) >>> OTHER_BITS;
        other = head.getInt(OTHER_OFFSET) & (1 << OTHER_BITS) - 1;
        generation = head.getLong(GENERATION_OFFSET);
    }

    /**
     * Reads all records, and clears what the end of a program or of the machine has left half written.
     *
     * @param isNewest whether nothing was written after this file, so that its end may be torn.
     * @param isSynced whether each record was on stable storage before the next one was written.
     */
    void read(final boolean isNewest, final boolean isSynced, final RecordHandler handler) {
        final ByteBuffer content;
        try {
            content = ByteBuffer.allocate(Math.toIntExact(channel.size()));
            readFully(content, 0);
        } catch (final IOException e) {
            throw failure(path, "cannot be read", e);
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(content.array(), 0, content.position());
        final int end = content.position();
        int at = HEAD_LENGTH;
        while (at < end && isRecord(buffer, at, end)) {
            final String wrong = handler.onRecord(
                    buffer.getInt(at + TYPE_OFFSET, ByteOrder.LITTLE_ENDIAN),
                    buffer.getLong(at + SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN),
                    buffer.getLong(at + RELEASED_OFFSET, ByteOrder.LITTLE_ENDIAN),
                    buffer,
                    at + TEXT_OFFSET,
                    buffer.getInt(at + TEXT_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN));
            if (wrong != null) {
                throw damage(at, wrong);
            }
            at += buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
        }
        if (version == VERSION) {
            checkEnd(buffer, at, end, isNewest, isSynced);
            length = at;
            room = end;
            clear(at, endOfBytes(buffer, at, end));
        } else {
            // It has zeros at its end when it was being made one of the present version.
            if (endOfBytes(buffer, at, end) > at && !(isNewest && isTorn(buffer, at, end))) {
                throw damage(at, "the record there is damaged");
            }
            truncate(at);
        }
    }

    private void checkEnd(
            final UnsafeBuffer buffer, final int at, final int end, final boolean isNewest, final boolean isSynced) {
        if (end - at < ZEROS_MIN) {
            throw damage(at, "the file is cut off");
        }
        final int endOfBytes = endOfBytes(buffer, at, end);
        if (!isNewest) {
            if (endOfBytes > at) {
                throw damage(at, "the record there is damaged");
            }
            return;
        }
        final int stated = buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
        final boolean isStated =
                stated == ~buffer.getInt(at + CHECK_OFFSET, ByteOrder.LITTLE_ENDIAN) && stated >= LENGTH_MIN;
        if (isStated && stated > end - at - ZEROS_MIN) {
            throw damage(at, "the file is cut off, and the record there has " + stated + " bytes");
        }
        // A record ends with a byte that is not 0: of one that was not written wholly, nothing is behind its bytes.
        final boolean isUnfinished = endOfBytes < at + (isStated ? stated : TYPE_OFFSET);
        final boolean isHoled = isStated && hasHole(buffer, at, at + stated);
        final boolean mayBeTorn = isUnfinished
                || isTorn(buffer, at, end)
                || (isHoled && !isFollowed(buffer, at, end))
                || (!isSynced && (isHoled || buffer.getLong(at) == 0));
        if (!mayBeTorn) {
            throw damage(at, "the record there is damaged");
        }
    }

    /** Whether a sector has only zeros: when the power fails, sectors reach the disk in any order. */
    private static boolean hasHole(final UnsafeBuffer buffer, final int from, final int to) {
        for (int sector = BitUtil.align(from, SECTOR_LENGTH); sector + SECTOR_LENGTH <= to; sector += SECTOR_LENGTH) {
            if (endOfBytes(buffer, sector, sector + SECTOR_LENGTH) == sector) {
                return true;
            }
        }
        return false;
    }

    private boolean isFollowed(final UnsafeBuffer buffer, final int at, final int end) {
        for (int next = at + ALIGNMENT; next < end; next += ALIGNMENT) {
            if (isRecord(buffer, next, end)) {
                return true;
            }
        }
        return false;
    }

    private static int endOfBytes(final UnsafeBuffer buffer, final int from, final int to) {
        int end = to;
        while (end > from && buffer.getByte(end - 1) == 0) {
            end--;
        }
        return end;
    }

    private boolean isRecord(final UnsafeBuffer buffer, final int at, final int end) {
        if (end - at < LENGTH_MIN) {
            return false;
        }
        final int recordLength = buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
        if (recordLength != ~buffer.getInt(at + CHECK_OFFSET, ByteOrder.LITTLE_ENDIAN)
                || recordLength < LENGTH_MIN
                || recordLength > end - at
                || recordLength % ALIGNMENT != 0) {
            return false;
        }
        final int tail = at + recordLength - TAIL_LENGTH;
        final int textLength = buffer.getInt(at + TEXT_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
        return buffer.getInt(tail + SIZE_OF_INT, ByteOrder.LITTLE_ENDIAN) == END_MARK
                && buffer.getInt(tail, ByteOrder.LITTLE_ENDIAN)
                        == checksum(ByteBuffer.wrap(buffer.byteArray(), at, recordLength - TAIL_LENGTH))
                && textLength >= 0
                && textLength <= recordLength - LENGTH_MIN;
    }

    /** Whether a write that did not come to its end looks like this: no whole record follows, and not all is there. */
    private boolean isTorn(final UnsafeBuffer buffer, final int at, final int end) {
        if (isFollowed(buffer, at, end)) {
            return false;
        }
        if (end - at < 2 * SIZE_OF_INT) {
            return true;
        }
        final int recordLength = buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
        final int check = buffer.getInt(at + CHECK_OFFSET, ByteOrder.LITTLE_ENDIAN);
        if (recordLength != ~check) {
            // The system writes what comes last as zeros; a length that disagrees with its check was changed.
            return recordLength == 0 && check == 0;
        }
        if (recordLength > end - at) {
            return true;
        }
        final int mark = at + recordLength - SIZE_OF_INT;
        return recordLength >= LENGTH_MIN && buffer.getInt(mark, ByteOrder.LITTLE_ENDIAN) == 0;
    }

    /** Empties the file, and begins it anew, on stable storage. A file that has a head has zeros behind it. */
    void begin(final long newGeneration, final int newId, final int newOther) {
        truncate(0);
        room = 0;
        generation = newGeneration;
        id = newId;
        version = VERSION;
        makeRoom(HEAD_LENGTH);
        length = HEAD_LENGTH;
        note(newOther);
        sync();
    }

    /** Makes a file of the version before, which was read, one of this version, on stable storage. */
    void renew(final int newId, final int newOther) {
        room = length;
        makeRoom(0);
        id = newId;
        version = VERSION;
        note(newOther);
        sync();
    }

    /** Notes in the head what the other file is. */
    void note(final int newOther) {
        scratch.clear();
        scratch.putLong(magic)
                .putInt(version)
                .putInt(id << OTHER_BITS | newOther)
                .putLong(generation);
        final int checksum = headChecksum(scratch);
        scratch.putInt(checksum).putInt(~checksum).flip();
        try {
            writeFully(0);
        } catch (final IOException e) {
            isBroken = true;
            throw failure(path, "cannot be begun", e);
        }
        other = newOther;
    }

    /** Writes zeros ahead, on stable storage, so that more can be appended. Without them nothing has changed. */
    private void makeRoom(final long needed) {
        long newRoom = room;
        while (newRoom < length + needed + ZEROS_MIN || newRoom < ROOM_MIN) {
            newRoom += Math.max(ROOM_MIN, Math.min(newRoom, ROOM_STEP_MAX));
        }
        if (newRoom == room) {
            return;
        }
        try {
            writeZeros(room, newRoom);
        } catch (final IOException e) {
            truncate(room);
            throw failure(path, "cannot be made longer", e);
        }
        sync();
        room = newRoom;
    }

    private void clear(final long from, final long to) {
        try {
            writeZeros(from, to);
        } catch (final IOException e) {
            isBroken = true;
            throw failure(path, "cannot be cleared", e);
        }
    }

    private void writeZeros(final long from, final long to) throws IOException {
        if (from < to) {
            final ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(to - from, ROOM_MIN));
            try {
                for (long at = from; at < to; ) {
                    at += channel.write(zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)), at);
                }
            } finally {
                BufferUtil.free(zeros);
            }
        }
    }

    /** Appends a record. What was written of one that failed is cleared again. */
    void append(
            final int type,
            final long sequence,
            final long released,
            final DirectBuffer text,
            final int offset,
            final int textLength) {
        if (isBroken) {
            throw new PenstockException(path + ": has failed before (close it and open it again)", null);
        }
        final int recordLength = BitUtil.align(LENGTH_MIN + textLength, ALIGNMENT);
        makeRoom(recordLength);
        if (scratch.capacity() < recordLength) {
            BufferUtil.free(scratch);
            scratch = newScratch(recordLength);
        }
        scratch.clear();
        scratch.putInt(recordLength).putInt(~recordLength).putInt(type).putInt(textLength);
        scratch.putLong(sequence).putLong(released);
        text.getBytes(offset, scratch, textLength);
        final int tail = recordLength - TAIL_LENGTH;
        while (scratch.position() < tail) {
            scratch.put((byte) 0);
        }
        scratch.flip();
        final int checksum = checksum(scratch);
        scratch.limit(recordLength).position(tail);
        scratch.putInt(checksum).putInt(END_MARK).flip();
        try {
            writeFully(length);
        } catch (final IOException e) {
            clear(length, length + recordLength);
            throw failure(path, "cannot be written to", e);
        }
        length += recordLength;
    }

    private void writeFully(final long position) throws IOException {
        for (long at = position; scratch.hasRemaining(); ) {
            at += channel.write(scratch, at);
        }
    }

    void sync() {
        try {
            channel.force(false);
        } catch (final IOException e) {
            isBroken = true;
            throw failure(path, "cannot be synced", e);
        }
    }

    private void truncate(final long newLength) {
        try {
            channel.truncate(newLength);
        } catch (final IOException e) {
            isBroken = true;
            throw failure(path, "cannot be cut", e);
        }
        length = newLength;
    }

    private void readFully(final ByteBuffer target, final long position) throws IOException {
        int count = 0;
        while (target.hasRemaining() && count >= 0) {
            count = channel.read(target, position + target.position());
        }
    }

    private int checksum(final ByteBuffer bytes) {
        crc.reset();
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (generation >>> shift) & 0xFF);
        }
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private int headChecksum(final ByteBuffer head) {
        crc.reset();
        for (int i = 0; i < HEAD_CRC_OFFSET; i++) {
            crc.update(head.get(i));
        }
        return (int) crc.getValue();
    }

    private static ByteBuffer newScratch(final int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    private PenstockException damage(final long at, final String what) {
        return new PenstockException(
                path + ": damaged at byte " + at + ": " + what
                        + " (bring back a copy of both files of the store, or move both away to go on without what they"
                        + " hold)",
                null);
    }

    /** What to throw when the other file of a store shows that this is not what it was. */
    PenstockException missing(final String what) {
        return new PenstockException(
                path + ": " + what
                        + " (bring back a copy of both files of the store, or move both away to go on without what they"
                        + " hold)",
                null);
    }

    static PenstockException failure(final Path path, final String what, final IOException cause) {
        final String reason = String.valueOf(FileErrors.explained(path, cause).getMessage());
        return new PenstockException(
                path + ": " + what + ": " + reason
                        + (reason.endsWith(")") ? "" : " (see that it is a file, and its disk" + " is good)"),
                cause);
    }

    @Override
    public void close() {
        BufferUtil.free(scratch);
        try {
            channel.close();
        } catch (final IOException e) {
            ClientLog.warn(path + ": cannot be closed", e);
        }
    }
}
