package io.penstock.bench.journal;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The least that reading a log costs: its files read into memory in pieces, each record's checksum checked, the records
 * walked from one to the next. Nobody gets them. Confined to one thread.
 */
final class RawReplay implements AutoCloseable {
    private static final int PIECE_LENGTH = 256 * 1024;
    private static final String SUFFIX = ".log";

    private final List<Path> files;
    private final AlignedBuffer memory = new AlignedBuffer(PIECE_LENGTH);
    private final ByteBuffer bytes = memory.bytes().order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private long messageCount;

    /**
     * Finds the files.
     *
     * @param directory of a shard's log.
     */
    RawReplay(final Path directory) throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            files = found.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Reads all files.
     *
     * @return count of messages.
     */
    long run() throws IOException {
        messageCount = 0;
        for (final Path file : files) {
            try (FileChannel channel = FileChannel.open(file)) {
                read(channel);
            }
        }
        return messageCount;
    }

    private void read(final FileChannel channel) throws IOException {
        // The first block is the head of the file.
        long position = AlignedBuffer.BLOCK_LENGTH;
        int walked;
        do {
            bytes.clear();
            int length = 0;
            while (bytes.hasRemaining()) {
                final int count = channel.read(bytes, position + length);
                if (count < 0) {
                    break;
                }
                length += count;
            }
            walked = walk(length);
            position += walked;
        } while (walked > 0);
    }

    /** Walks over the whole records of a piece. Returns their length; 0 at the end of what was written. */
    private int walk(final int available) {
        int next = 0;
        while (available - next >= RecordDescriptor.HEADER_LENGTH) {
            final int length = bytes.getInt(next + RecordDescriptor.LENGTH_OFFSET);
            if (length < RecordDescriptor.HEADER_LENGTH) {
                return 0;
            }
            if (length > available - next) {
                break;
            }
            final int stated = bytes.getInt(next + RecordDescriptor.CHECKSUM_OFFSET);
            bytes.putInt(next + RecordDescriptor.CHECKSUM_OFFSET, 0);
            crc.reset();
            crc.update(bytes.limit(next + length).position(next));
            bytes.clear();
            if ((int) crc.getValue() != stated) {
                throw CommandFailure.failed("penstock: a record of the log has a wrong checksum");
            }
            if (bytes.get(next + RecordDescriptor.TYPE_OFFSET) == RecordDescriptor.TYPE_MESSAGE) {
                messageCount++;
            }
            next += RecordDescriptor.alignedLength(length);
        }
        return next;
    }

    @Override
    public void close() {
        memory.free();
    }
}
