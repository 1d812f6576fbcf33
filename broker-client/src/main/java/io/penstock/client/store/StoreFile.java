package io.penstock.client.store;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import io.penstock.client.PenstockException;
import io.penstock.client.warning.ClientLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A file of a client's store, written record by record, with zeros after the last one: they are written ahead, so that a
 * file that ends without any was cut off. Confined to the thread whose turn it is. All fields are little endian.
 *
 * <pre>
 *  head:    | see {@link StoreFileHead} |
 *  record:  | length (4) | ~length (4) | type (4) | text length (4) | sequence (8) | released (8) | text ... 0 |
 *           | CRC32C (4) | end mark (4) |
 * </pre>
 *
 * A record's length is of all of it, a multiple of 8. Its CRC32C begins with the generation's bytes, and is over all
 * before it.
 */
final class StoreFile implements AutoCloseable {
    static final int CHECK_OFFSET = SIZE_OF_INT;
    static final int TYPE_OFFSET = CHECK_OFFSET + SIZE_OF_INT;
    static final int TEXT_LENGTH_OFFSET = TYPE_OFFSET + SIZE_OF_INT;
    private static final int SEQUENCE_OFFSET = TEXT_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int RELEASED_OFFSET = SEQUENCE_OFFSET + SIZE_OF_LONG;
    private static final int TEXT_OFFSET = RELEASED_OFFSET + SIZE_OF_LONG;
    static final int TAIL_LENGTH = 2 * SIZE_OF_INT;
    static final int ALIGNMENT = 8;
    static final int LENGTH_MIN = TEXT_OFFSET + TAIL_LENGTH;
    static final int END_MARK = 0x444E4550;
    private static final int SCRATCH_LENGTH = 4 * 1024;

    /** At least this many zeros follow the last record. */
    private static final int ZEROS_MIN = 8;

    /** Room of a new file. It is doubled, up to a limit, each time that it is not enough. */
    private static final int ROOM_MIN = 64 * 1024;

    private static final int ROOM_STEP_MAX = 4 * 1024 * 1024;

    private final Path path;
    private final FileChannel channel;
    private final StoreFileHead head;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer scratch = newScratch(SCRATCH_LENGTH);
    private long length;

    /** Where the zeros end that were written ahead. */
    private long room;

    /** Whether a sync or a cut has failed: the content of the file is unknown then. */
    private boolean isBroken;

    /** Takes the records of a file. */
    interface RecordHandler {
        /** A record; returns null, or what is wrong with it. */
        @Nullable
        String onRecord(int type, long sequence, long released, UnsafeBuffer text, int offset, int length);
    }

    private StoreFile(final Path path, final long magic, final FileChannel channel) {
        this.path = path;
        this.channel = channel;
        head = new StoreFileHead(path, magic);
    }

    /** Opens a file, or makes an empty one; it has to be read before it is appended to. */
    static StoreFile open(final Path path, final long magic, final StoreDisk disk) {
        try {
            return new StoreFile(path, magic, disk.open(path));
        } catch (final IOException e) {
            throw StoreFailures.failure(path, "cannot be opened", e);
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
        return head.isBegun();
    }

    /** Rises with each turn of the store's files. */
    long generation() {
        return head.generation();
    }

    /** Id of the store, the same in both files; 0 when the file has none. */
    int id() {
        return head.id();
    }

    /** Its description of the other file; 0 when it has none. */
    int other() {
        return head.other();
    }

    /** Length of head and records, in bytes. */
    long length() {
        return length;
    }

    /**
     * Reads the head only. A file that ends within it, or is all zeros, has not begun.
     *
     * @throws PenstockException when it is no file of this store.
     */
    void readHead() {
        final ByteBuffer bytes = ByteBuffer.allocate(StoreFileHead.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        try {
            readFully(bytes, 0);
            head.read(bytes);
            // Zeros are written before the head; a file with anything else behind zeros is another program's.
            final long other = head.isBegun() ? -1 : FileZeros.firstOther(channel, bytes.position());
            if (other >= 0) {
                throw damage(other, StoreFileHead.FOREIGN);
            }
        } catch (final IOException e) {
            throw failure("cannot be read", e);
        }
    }

    /**
     * Reads all records, and clears what the end of a program or of the machine has left half written.
     *
     * @param isNewest whether nothing was written after this file, so that its end may be torn.
     * @param isSynced whether each record was on stable storage before the next one was written.
     */
    void read(final boolean isNewest, final boolean isSynced, final RecordHandler handler) {
        final StoreFileContent content = content();
        int at = StoreFileHead.LENGTH;
        while (at < content.end() && content.isRecord(at)) {
            final String wrong = handler.onRecord(
                    content.int32(at + TYPE_OFFSET),
                    content.int64(at + SEQUENCE_OFFSET),
                    content.int64(at + RELEASED_OFFSET),
                    content.buffer(),
                    at + TEXT_OFFSET,
                    content.int32(at + TEXT_LENGTH_OFFSET));
            if (wrong != null) {
                throw damage(at, wrong);
            }
            at += content.int32(at);
        }
        final int endOfBytes = content.endOfBytes(at);
        if (head.hasZeros()) {
            checkEnd(content, at, isNewest, isSynced);
            room = content.end();
            warnOfCleared(at, endOfBytes);
            clear(at, endOfBytes);
        } else {
            // It has zeros at its end when it was being made one of the present version.
            if (endOfBytes > at && !(isNewest && content.isTorn(at))) {
                throw damage(at, "the record there is damaged");
            }
            warnOfCleared(at, endOfBytes);
            cut(at);
        }
        length = at;
    }

    private StoreFileContent content() {
        try {
            final ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
            readFully(bytes, 0);
            return new StoreFileContent(bytes.array(), bytes.position(), head.generation());
        } catch (final IOException e) {
            throw failure("cannot be read", e);
        }
    }

    private void checkEnd(
            final StoreFileContent content, final int at, final boolean isNewest, final boolean isSynced) {
        final int free = content.end() - at - ZEROS_MIN;
        if (free < 0) {
            throw damage(at, "the file is cut off");
        }
        if (content.endOfBytes(at) == at) {
            return;
        }
        if (isNewest && content.isStated(at) && content.int32(at) > free) {
            throw damage(at, "the file is cut off, and the record there has " + content.int32(at) + " bytes");
        }
        if (!isNewest || !content.mayBeTorn(at, isSynced)) {
            throw damage(at, "the record there is damaged");
        }
    }

    /** A record that was whole once looks like one that was not written, when what has changed in it are zeros now. */
    private void warnOfCleared(final int from, final int to) {
        if (from < to) {
            ClientLog.warn(path + ": what is no whole record at byte " + from + " is cleared, length " + (to - from)
                    + " (it was being written when the program or the machine ended; else see that the disk is good)");
        }
    }

    /** Empties the file, and begins it anew, on stable storage. A file that has a head has zeros after it. */
    void begin(final long newGeneration, final int newId, final int newOther) {
        cut(0);
        room = 0;
        length = 0;
        head.clear();
        makeRoom(StoreFileHead.LENGTH);
        head.begin(newGeneration, newId);
        length = StoreFileHead.LENGTH;
        note(newOther);
        sync();
    }

    /** Makes a file of the version before, which was read, one of this version, on stable storage. */
    void renew(final int newId, final int newOther) {
        room = length;
        makeRoom(0);
        head.renew(newId);
        note(newOther);
        sync();
    }

    /** Notes in the head what the other file is. */
    void note(final int newOther) {
        head.write(scratch, newOther);
        try {
            writeFully(0);
        } catch (final IOException e) {
            isBroken = true;
            throw failure("cannot be begun", e);
        }
        head.onWritten(newOther);
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
            FileZeros.write(channel, room, newRoom);
        } catch (final IOException e) {
            cut(room);
            throw failure("cannot be made longer", e);
        }
        sync();
        room = newRoom;
    }

    /** Writes zeros over what is no record, on stable storage: what is written there then ends with them. */
    private void clear(final long from, final long to) {
        if (from == to) {
            return;
        }
        try {
            FileZeros.write(channel, from, to);
        } catch (final IOException e) {
            isBroken = true;
            throw failure("cannot be cleared", e);
        }
        sync();
    }

    /** Appends a record. What was written of one that failed is cleared again. */
    void append(
            final int type,
            final long sequence,
            final long released,
            final DirectBuffer text,
            final int offset,
            final int textLength) {
        checkWorks();
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
        final int checksum = checksum(crc, head.generation(), scratch);
        scratch.limit(recordLength).position(tail);
        scratch.putInt(checksum).putInt(END_MARK).flip();
        try {
            writeFully(length);
        } catch (final IOException e) {
            clear(length, length + recordLength);
            throw failure("cannot be written to", e);
        }
        length += recordLength;
    }

    private void writeFully(final long position) throws IOException {
        for (long at = position; scratch.hasRemaining(); ) {
            at += channel.write(scratch, at);
        }
    }

    /** Refuses a file in which nobody knows what it holds. */
    void checkWorks() {
        if (isBroken) {
            throw new PenstockException(path + ": has failed before (close it and open it again)", null);
        }
    }

    void sync() {
        try {
            channel.force(false);
        } catch (final IOException e) {
            isBroken = true;
            throw failure("cannot be synced", e);
        }
    }

    /** Removes everything after a place from the file. */
    private void cut(final long end) {
        try {
            channel.truncate(end);
        } catch (final IOException e) {
            isBroken = true;
            throw failure("cannot be cut", e);
        }
    }

    private void readFully(final ByteBuffer target, final long position) throws IOException {
        int count = 0;
        while (target.hasRemaining() && count >= 0) {
            count = channel.read(target, position + target.position());
        }
    }

    static int checksum(final CRC32C crc, final long generation, final ByteBuffer bytes) {
        crc.reset();
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (generation >>> shift) & 0xFF);
        }
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static ByteBuffer newScratch(final int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    private PenstockException damage(final long at, final String what) {
        return StoreFailures.damage(path, at, what);
    }

    /** The exception for a file that is not what the store's other file says. */
    PenstockException missing(final String what) {
        return StoreFailures.missing(path, what);
    }

    private PenstockException failure(final String what, final IOException cause) {
        return StoreFailures.failure(path, what, cause);
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
