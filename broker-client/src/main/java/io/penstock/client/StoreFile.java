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
 * A file of a client's store, appended to record by record. Confined to the thread whose turn it is. All fields are
 * little endian.
 *
 * <pre>
 *  head:    | magic (8) | version (4) | unused (4) | generation (8) | CRC32C (4) | ~CRC32C (4) |
 *  record:  | length (4) | ~length (4) | type (4) | text length (4) | sequence (8) | released (8) | text ... 0 |
 *           | CRC32C (4) | end mark (4) |
 * </pre>
 *
 * A record's length is of all of it, a multiple of 8. Its CRC32C begins with the generation's bytes, and is over all
 * before it.
 */
final class StoreFile implements AutoCloseable {
    static final int HEAD_LENGTH = 32;

    private static final int VERSION = 1;
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

    private final Path path;
    private final long magic;
    private final FileChannel channel;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer scratch = newScratch(SCRATCH_LENGTH);
    private long generation;
    private long length;

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

    /** From 1; 0 of a file that has not begun. */
    long generation() {
        return generation;
    }

    /** In bytes, with the head. */
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
        generation = 0;
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
        if (head.getInt(SIZE_OF_LONG) != VERSION) {
            throw damage(SIZE_OF_LONG, "it is of version " + head.getInt(SIZE_OF_LONG) + ", not " + VERSION);
        }
        generation = head.getLong(SIZE_OF_LONG + 2 * SIZE_OF_INT);
    }

    /**
     * Reads all records, and cuts off what the end of a program or of the machine has left half written.
     *
     * @param isNewest whether nothing was written after this file, so that its end may be torn.
     */
    void read(final boolean isNewest, final RecordHandler handler) {
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
        if (at < end && !(isNewest && isTorn(buffer, at, end))) {
            throw damage(at, "the record there is damaged");
        }
        truncate(at);
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
        for (int next = at + ALIGNMENT; next < end; next += ALIGNMENT) {
            if (isRecord(buffer, next, end)) {
                return false;
            }
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

    /** Empties the file, and begins it anew. */
    void begin(final long newGeneration) {
        generation = newGeneration;
        truncate(0);
        scratch.clear();
        scratch.putLong(magic).putInt(VERSION).putInt(0).putLong(newGeneration);
        final int checksum = headChecksum(scratch);
        scratch.putInt(checksum).putInt(~checksum).flip();
        write("begun");
    }

    /** Appends a record. What was written of one that failed is cut off again. */
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
        write("written to");
    }

    private void write(final String what) {
        final long start = length;
        try {
            while (scratch.hasRemaining()) {
                length += channel.write(scratch, length);
            }
        } catch (final IOException e) {
            truncate(start);
            throw failure(path, "cannot be " + what, e);
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
                        + " (move the file away to go on without what it holds, or bring back a copy)",
                null);
    }

    static PenstockException failure(final Path path, final String what, final IOException cause) {
        return new PenstockException(
                path + ": " + what + ": " + FileErrors.explained(path, cause).getMessage(), cause);
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
