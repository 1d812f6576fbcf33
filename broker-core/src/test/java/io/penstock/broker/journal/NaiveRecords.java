package io.penstock.broker.journal;

import io.penstock.protocol.RecordDescriptor;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Reads the files of a log in the plainest way: all bytes of each, one record after the other. */
final class NaiveRecords {
    /** One record, apart from its file. */
    static final class WholeRecord {
        private final ByteBuffer bytes;

        WholeRecord(final DataInput from) throws IOException {
            final byte[] head = new byte[RecordDescriptor.HEADER_LENGTH];
            from.readFully(head);
            final int length =
                    ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt();
            final byte[] all = Arrays.copyOf(head, length);
            from.readFully(all, head.length, length - head.length);
            bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        }

        /** Changes a field, and the checksum with it. */
        void put(final int field, final long value) {
            switch (field) {
                case RecordDescriptor.TYPE_OFFSET -> bytes.put(field, (byte) value);
                case RecordDescriptor.SEQUENCE_OFFSET -> bytes.putLong(field, value);
                default -> bytes.putInt(field, (int) value);
            }
            bytes.putInt(RecordDescriptor.CHECKSUM_OFFSET, 0);
            bytes.putInt(RecordDescriptor.CHECKSUM_OFFSET, sum(bytes.array(), 0, bytes.capacity()));
        }

        byte[] bytes() {
            return bytes.array();
        }
    }

    /** Sequences of the records that are good, up to a limit, to the first one that is not. */
    static List<Long> read(final List<Path> files, final long from, final long limit) throws IOException {
        final List<Long> read = new ArrayList<>();
        long next = 0;
        for (int i = 0; i < files.size(); i++) {
            final byte[] all = Files.readAllBytes(files.get(i));
            final ByteBuffer buffer = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
            final long first = firstSequence(files.get(i));
            if (next != 0 && first != next) {
                return read;
            }
            next = first;
            final long following = i + 1 < files.size() ? firstSequence(files.get(i + 1)) : Long.MAX_VALUE;
            int epoch = 0;
            int at = JournalHead.BLOCK_LENGTH;
            while (next < following && next <= limit) {
                if (at + RecordDescriptor.HEADER_LENGTH > all.length) {
                    return read;
                }
                final int length = buffer.getInt(at + RecordDescriptor.LENGTH_OFFSET);
                if (length < RecordDescriptor.HEADER_LENGTH
                        || length > all.length - at
                        || buffer.getInt(at + RecordDescriptor.EPOCH_OFFSET) < epoch) {
                    return read;
                }
                final int stated = buffer.getInt(at + RecordDescriptor.CHECKSUM_OFFSET);
                buffer.putInt(at + RecordDescriptor.CHECKSUM_OFFSET, 0);
                final boolean isCommit = buffer.get(at + RecordDescriptor.TYPE_OFFSET) == RecordDescriptor.TYPE_COMMIT;
                final long sequence = buffer.getLong(at + RecordDescriptor.SEQUENCE_OFFSET);
                if (sum(all, at, length) != stated || (isCommit ? sequence >= next : sequence != next)) {
                    return read;
                }
                epoch = buffer.getInt(at + RecordDescriptor.EPOCH_OFFSET);
                if (!isCommit) {
                    if (next >= from) {
                        read.add(next);
                    }
                    next++;
                }
                at += RecordDescriptor.alignedLength(length);
            }
        }
        return read;
    }

    private static long firstSequence(final Path file) throws IOException {
        return JournalFile.firstSequence(String.valueOf(file.getFileName()));
    }

    private static int sum(final byte[] bytes, final int offset, final int length) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    private NaiveRecords() {}
}
