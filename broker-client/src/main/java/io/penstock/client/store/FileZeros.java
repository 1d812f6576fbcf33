package io.penstock.client.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.agrona.BufferUtil;

/** Zeros in a file, in which nothing is kept yet. */
final class FileZeros {
    private static final int PIECE_LENGTH = 64 * 1024;

    private FileZeros() {}

    /** Writes them from a place to another. */
    static void write(final FileChannel channel, final long from, final long to) throws IOException {
        final ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(to - from, PIECE_LENGTH));
        try {
            for (long at = from; at < to; ) {
                at += channel.write(zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)), at);
            }
        } finally {
            BufferUtil.free(zeros);
        }
    }

    /** Returns where the first byte is that is none, from a place on; -1 when all are. */
    static long firstOther(final FileChannel channel, final long from) throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate(PIECE_LENGTH);
        for (long at = from; channel.read(bytes.clear(), at) > 0; at += bytes.position()) {
            for (int i = 0; i < bytes.position(); i++) {
                if (bytes.get(i) != 0) {
                    return at + i;
                }
            }
        }
        return -1;
    }
}
