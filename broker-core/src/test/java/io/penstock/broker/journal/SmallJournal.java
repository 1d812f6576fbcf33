package io.penstock.broker.journal;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.Storage;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A journal that a test writes by hand, with records whose bytes all depend on their sequence. */
final class SmallJournal implements AutoCloseable {
    static final int FILE_LENGTH = 64 * 1024;

    /** The topic of records whose payload is zeros. */
    private static final int ZEROS = Integer.MAX_VALUE;

    final Storage storage;
    final JournalSpares spares;
    final JournalFiles files;
    final JournalWriter writer;
    final JournalRecovery.End end;
    final List<Long> recovered = new ArrayList<>();
    private final ByteBuffer bytes;
    private final UnsafeBuffer record;
    private long next;

    SmallJournal(final Path directory) throws IOException {
        this(directory, true);
    }

    SmallJournal(final Path directory, final boolean syncs) throws IOException {
        this(directory, syncs, FILE_LENGTH);
    }

    SmallJournal(final Path directory, final boolean syncs, final int fileLength) throws IOException {
        bytes = ByteBuffer.allocateDirect(fileLength);
        record = new UnsafeBuffer(bytes.duplicate());
        storage = DiskStorage.open(directory.toString());
        final JournalRecovery.Recovered log = JournalRecovery.recover(
                0, storage, (buffer, offset, length) -> recovered.add(check(buffer, offset, length)));
        files = log.files();
        end = log.end();
        spares = new JournalSpares(storage, fileLength, true, () -> {});
        spares.prepare();
        writer = new JournalWriter(files, spares, syncs, end, () -> 1_000);
        next = end.sequence() + 1;
    }

    /** Takes a record of the next sequence. */
    void append(final int payloadLength) throws IOException {
        append(payloadLength, 0);
    }

    /** Takes a record of the next sequence whose payload is zeros. */
    void appendZeros(final int payloadLength) throws IOException {
        append(payloadLength, ZEROS);
    }

    /** Takes a record of the next sequence, of a topic. */
    void append(final int payloadLength, final int topicId) throws IOException {
        final int length = RecordDescriptor.HEADER_LENGTH + payloadLength;
        record.setMemory(0, RecordDescriptor.HEADER_LENGTH, (byte) 0);
        record.putInt(RecordDescriptor.LENGTH_OFFSET, length);
        record.putByte(RecordDescriptor.TYPE_OFFSET, (byte) RecordDescriptor.TYPE_MESSAGE);
        record.putLong(RecordDescriptor.SEQUENCE_OFFSET, next);
        record.putLong(RecordDescriptor.TIMESTAMP_OFFSET, 10 * next);
        record.putInt(RecordDescriptor.TOPIC_ID_OFFSET, topicId);
        record.putInt(RecordDescriptor.EPOCH_OFFSET, writer.epoch());
        for (int i = 0; i < payloadLength; i++) {
            record.putByte(RecordDescriptor.HEADER_LENGTH + i, topicId == ZEROS ? 0 : (byte) (next * 31 + i));
        }
        while (!writer.append(record, bytes, 0, length)) {
            spares.prepare();
        }
        next++;
    }

    void commit() throws IOException {
        writer.write();
        writer.sync();
    }

    @Override
    public void close() throws IOException {
        writer.close();
        writer.free();
    }

    /** Checks a record's bytes. Returns its sequence. */
    static long check(final DirectBuffer buffer, final int offset, final int length) {
        final long sequence = RecordDescriptor.sequence(buffer, offset);
        final boolean isZeros = RecordDescriptor.topicId(buffer, offset) == ZEROS;
        for (int i = 0; i < length - RecordDescriptor.HEADER_LENGTH; i++) {
            final byte expected = isZeros ? 0 : (byte) (sequence * 31 + i);
            if (buffer.getByte(offset + RecordDescriptor.HEADER_LENGTH + i) != expected) {
                throw new AssertionError("record " + sequence + " differs at " + i);
            }
        }
        return sequence;
    }
}
