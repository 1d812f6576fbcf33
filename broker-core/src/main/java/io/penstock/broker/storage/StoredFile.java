package io.penstock.broker.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file. Writes have one owner; reads may come from other threads at the same time. */
public interface StoredFile extends Closeable {
    /**
     * How long the file is.
     *
     * @return length in bytes.
     * @throws IOException when that cannot be said.
     */
    long length() throws IOException;

    /**
     * Writes all bytes that remain in a buffer.
     *
     * @param from     direct buffer; its position moves to its limit.
     * @param position of the first byte in the file.
     * @throws IOException when not all were written; how many were is not known.
     */
    void write(ByteBuffer from, long position) throws IOException;

    /**
     * Reads until a buffer is full or the file ends.
     *
     * @param into     direct buffer; its position moves by what was read.
     * @param position of the first byte in the file.
     * @return bytes read, fewer than remained only at the end of the file.
     * @throws IOException when that fails.
     */
    int read(ByteBuffer into, long position) throws IOException;

    /**
     * Makes what was written last.
     *
     * @throws IOException when it may not; what was written since the last good call may or may not be there, and no
     *                     later call says more about it.
     */
    void sync() throws IOException;

    /**
     * Whether the name by which it was opened still is that of the same file as at the first call: it was neither removed
     * nor replaced since.
     *
     * @return whether it is; true where files have nothing to tell them apart.
     * @throws IOException when that cannot be said.
     */
    default boolean isThere() throws IOException {
        return true;
    }

    /**
     * Cuts the file.
     *
     * @param length in bytes, no more than it has.
     * @throws IOException when that fails.
     */
    void truncate(long length) throws IOException;

    @Override
    void close() throws IOException;
}
