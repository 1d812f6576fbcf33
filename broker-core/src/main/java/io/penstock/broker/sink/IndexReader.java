package io.penstock.broker.sink;

import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the index of a sink from its first record on, as far as it is whole: each record good, the numbers without a gap,
 * the blocks one after the other. Confined to its user.
 */
public final class IndexReader implements AutoCloseable {
    private static final int BUFFER_LENGTH = 1024 * 1024;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final StoredFile index;
    private final long fileLength;
    private long bufferPosition;
    private int at;
    private int limit;
    private long number;
    private long end;
    private final int version;

    /**
     * Begins to read.
     *
     * @param index file, which stays its owner's.
     * @param path  of it, for people.
     * @throws IOException when it cannot be read, or does not begin as an index does.
     */
    public IndexReader(final StoredFile index, final String path) throws IOException {
        this.index = index;
        fileLength = index.length();
        fill(0);
        final String wrong = limit < IndexRecord.HEAD_LENGTH
                ? "is too short"
                : IndexRecord.checkHead(bytes.duplicate().clear());
        if (!wrong.isEmpty()) {
            throw new SinkDamagedException(path + ": " + wrong + " (move it and the file beside it away)");
        }
        version = buffer.getInt(IndexRecord.VERSION_OFFSET, ByteOrder.LITTLE_ENDIAN);
        at = IndexRecord.HEAD_LENGTH;
    }

    /** Whether it is one of those that have zeros after their last record. */
    boolean hasZeros() {
        return version != IndexRecord.VERSION_WITHOUT_ZEROS;
    }

    /**
     * Reads the next record.
     *
     * @return what it says, or null at the end and at the first record that is not whole.
     * @throws IOException when the file cannot be read.
     */
    public @Nullable IndexEntry next() throws IOException {
        if (limit - at < IndexRecord.LENGTH_MAX && bufferPosition + limit < fileLength) {
            fill(position());
        }
        if (!IndexRecord.isGood(buffer, bytes, at, limit)) {
            return null;
        }
        final IndexEntry entry = IndexRecord.read(buffer, at);
        if (!follows(entry)) {
            return null;
        }
        at += IndexRecord.length(buffer, at);
        number = entry.number();
        end = entry.isBlock() ? entry.end() : end;
        return entry;
    }

    private boolean follows(final IndexEntry entry) {
        if (entry.isBlock()) {
            return entry.number() == number + 1 && entry.offset() == end && entry.length() > 0;
        }
        return entry.type() == IndexRecord.TYPE_MARK && entry.number() == number;
    }

    /** Where the next record begins, or what is not one. */
    public long position() {
        return bufferPosition + at;
    }

    /**
     * Whether it has lost its end. To be asked before {@link #isDamaged}.
     *
     * @return true when it has no zeros after its last record.
     */
    public boolean isCutOff() {
        final long rest = fileLength - position();
        return hasZeros()
                && (rest < IndexRecord.ZEROS_MIN
                        || (limit - at >= Integer.BYTES && IndexRecord.isCutOff(buffer, at, rest)));
    }

    /**
     * Looks behind what is not whole for a record that says that it should be.
     *
     * @return true when blocks that were stored for good have lost their records; then this is damage, and else only what
     *     was being written.
     * @throws IOException when the file cannot be read.
     */
    public boolean isDamaged() throws IOException {
        final long missing = number + 1;
        long from = position();
        while (from < fileLength) {
            fill(from);
            if (limit == 0) {
                break;
            }
            for (at = 0; at < limit; at += IndexRecord.ALIGNMENT) {
                if (limit - at < IndexRecord.LENGTH_MAX && bufferPosition + limit < fileLength) {
                    break;
                }
                if (IndexRecord.isGood(buffer, bytes, at, limit)
                        && IndexRecord.read(buffer, at).settled() >= missing) {
                    return true;
                }
            }
            from += at;
        }
        return false;
    }

    private void fill(final long position) throws IOException {
        bufferPosition = position;
        at = 0;
        limit = index.read(bytes.clear(), position);
        bytes.clear();
    }

    /**
     * The checksum of a part of a file.
     *
     * @param file   to read.
     * @param offset of the first byte.
     * @param length in bytes.
     * @param piece  direct memory to read it through.
     * @return CRC32C of it, or -1 when the file ends before.
     * @throws IOException when it cannot be read.
     */
    public static long checksumOf(final StoredFile file, final long offset, final long length, final ByteBuffer piece)
            throws IOException {
        final CRC32C crc = new CRC32C();
        for (long done = 0; done < length; ) {
            piece.clear().limit((int) Math.min(piece.capacity(), length - done));
            final int read = file.read(piece, offset + done);
            if (read < piece.limit()) {
                return -1;
            }
            crc.update(piece.flip());
            done += read;
        }
        return crc.getValue();
    }

    @Override
    public void close() {
        BufferUtil.free(bytes);
    }
}
