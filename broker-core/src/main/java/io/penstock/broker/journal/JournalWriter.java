package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.CHECKSUM_OFFSET;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.StoredFile;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes a shard's records to its files: copies them into a staging buffer with their checksums, and writes that in whole
 * blocks. Confined to the journaler. After an exception it is of no more use: nothing is tried again, since after a
 * failed sync nobody can say what is on the disk.
 */
public final class JournalWriter {
    private static final int STAGING_LENGTH_MAX = 1024 * 1024;
    private static final long NO_GROUP = -1;
    private static final int BLOCK_LENGTH = JournalHead.BLOCK_LENGTH;

    private final JournalFiles files;
    private final JournalSpares spares;
    private final boolean syncs;
    private final EpochNanoClock clock;
    private final int epoch;
    private JournalHead head = new JournalHead();

    /** Of the file that was full last. */
    private JournalHead headBefore = new JournalHead();

    private final RecordChecksum checksum = new RecordChecksum();
    private final AlignedBuffer memory;
    private final UnsafeBuffer staging;
    private final UnsafeBuffer commit = new UnsafeBuffer(ByteBuffer.allocateDirect(HEADER_LENGTH));
    private StoredFile file;
    private SparseIndex index;
    private long fileLength;

    /** Where the staging buffer's first byte goes in the file, how much of it is used, and how much was written. */
    private long stagingPosition;

    private int staged;
    private int written;

    private long appendedSequence;
    private long writtenSequence;
    private long durableSequence;

    /** Where the group begins that is being taken, up to where its sectors were counted, and how many are zeros. */
    private long groupPosition = NO_GROUP;

    private long countedPosition;
    private int zeroSectors;

    /** The newest record that was synced: without syncs that of an earlier run, and files say nothing beyond. */
    private long syncedSequence;

    private long bytesWritten;

    /**
     * Goes on after the last record of a log.
     *
     * @param files    of the shard.
     * @param spares   to go on with when a file is full.
     * @param syncs    whether to put what is written on stable storage at all.
     * @param recovered where the log ends.
     * @param clock    of the times in files.
     * @throws IOException when files cannot be read or written, or there is no spare for the first one.
     */
    public JournalWriter(
            final JournalFiles files,
            final JournalSpares spares,
            final boolean syncs,
            final JournalRecovery.End recovered,
            final EpochNanoClock clock)
            throws IOException {
        this.files = files;
        this.spares = spares;
        this.syncs = syncs;
        this.clock = clock;
        epoch = recovered.epoch() + 1;
        appendedSequence = recovered.sequence();
        writtenSequence = appendedSequence;
        durableSequence = appendedSequence;
        syncedSequence = Math.min(recovered.durableSequence(), appendedSequence);
        final JournalFile last = recovered.file();
        StoredFile opened = null;
        AlignedBuffer taken = null;
        boolean isOpen = false;
        try {
            if (last == null) {
                final JournalSpares.Spare spare = takeFirst(spares);
                opened = spare.file();
                file = opened;
                index = new SparseIndex(file.length());
                taken = newStaging(file.length());
                memory = taken;
                staging = taken.buffer();
                files.add(begin(spare));
            } else {
                opened = spares.open(last.name());
                file = opened;
                index = last.index();
                taken = newStaging(Math.max(file.length(), spares.fileLength()));
                memory = taken;
                staging = taken.buffer();
                goOn(last, recovered);
            }
            isOpen = true;
        } finally {
            if (!isOpen) {
                CloseHelper.quietClose(opened);
                if (taken != null) {
                    taken.free();
                }
                head.free();
                headBefore.free();
            }
        }
    }

    private static JournalSpares.Spare takeFirst(final JournalSpares spares) throws IOException {
        final JournalSpares.Spare spare = spares.take();
        if (spare == null) {
            throw new IOException(String.valueOf(spares.problem()));
        }
        return spare;
    }

    /** Goes on in the last file of an earlier run. */
    private void goOn(final JournalFile last, final JournalRecovery.End recovered) throws IOException {
        final String wrong = head.check(file.read(head.bytes(), 0), files.shard());
        if (wrong != null) {
            throw new JournalCorruptException(files.storage().path(last.name()), 0, 0, wrong);
        }
        fileLength = head.fileLength();
        // The run before may have ended between the renaming of a file and the sync of its directory.
        files.storage().sync();
        linkToLast(last);
        if (syncs) {
            writeAgain(last.index().position(recovered.durableSequence()), recovered.position());
            syncedSequence = appendedSequence;
        }
        stagingPosition = recovered.position() & -BLOCK_LENGTH;
        staged = (int) (recovered.position() - stagingPosition);
        written = staged;
        file.read(memory.bytes().clear().limit(BLOCK_LENGTH), stagingPosition);
        erase(recovered.tornLength());
        // Nothing that this run writes can be taken for what an earlier one left behind the end.
        mark();
        file.sync();
    }

    /** No more than a file has is ever staged: it is written before another file begins. */
    private static AlignedBuffer newStaging(final long fileLength) {
        return new AlignedBuffer((int) Math.min(STAGING_LENGTH_MAX, fileLength));
    }

    /**
     * Puts on stable storage what no earlier run has said to be there, before this one does. After a failed sync the
     * system may go on showing what is not on the disk, and not write it by itself any more.
     */
    private void writeAgain(final long from, final long to) throws IOException {
        for (long at = Math.max(from, BLOCK_LENGTH) & -BLOCK_LENGTH; at < to; at += memory.capacity()) {
            final int length = (int) Math.min(memory.capacity(), BitUtil.align(to - at, BLOCK_LENGTH));
            final int read = file.read(memory.bytes().clear().limit(length), at);
            file.write(memory.bytes().clear().limit(read), at);
        }
        file.sync();
    }

    /** The number of this run of the log, stamped on its records. */
    public int epoch() {
        return epoch;
    }

    /**
     * Takes a record.
     *
     * @param record   memory that holds it, with a checksum of 0.
     * @param bytes    the same memory; its position and limit are used.
     * @param offset   of the record.
     * @param length   of header and payload.
     * @return false when it needs another file and there is none now; then nothing was done.
     * @throws IOException when the disk fails.
     */
    public boolean append(final DirectBuffer record, final ByteBuffer bytes, final int offset, final int length)
            throws IOException {
        final int needed = RecordDescriptor.alignedLength(length) + HEADER_LENGTH;
        if (stagingPosition + staged + needed > fileLength && !roll()) {
            return false;
        }
        if (groupPosition == NO_GROUP) {
            groupPosition = stagingPosition + staged;
            countedPosition = groupPosition;
            zeroSectors = 0;
        }
        index.onRecord(record, offset, stagingPosition + staged);
        copy(record, bytes, offset, length);
        appendedSequence = RecordDescriptor.sequence(record, offset);
        return true;
    }

    /**
     * Writes all records taken so far to the file, and behind them that they are all.
     *
     * @throws IOException when the disk fails.
     */
    public void write() throws IOException {
        if (groupPosition != NO_GROUP) {
            endGroup();
            final int to = BitUtil.align(staged, BLOCK_LENGTH);
            staging.setMemory(staged, to - staged, (byte) 0);
            write(to);
        }
        writtenSequence = appendedSequence;
    }

    /** Makes room. Only whole blocks: what a crash leaves of a group has each of them as it was before, or as it is to be. */
    private void makeRoom() throws IOException {
        final int whole = staged & -BLOCK_LENGTH;
        countZeroSectors(stagingPosition + whole);
        write(whole);
    }

    private void write(final int to) throws IOException {
        final int from = written & -BLOCK_LENGTH;
        file.write(memory.bytes().clear().limit(to).position(from), stagingPosition + from);
        bytesWritten += to - from;
        final int whole = staged & -BLOCK_LENGTH;
        if (whole > 0) {
            staging.putBytes(0, staging, whole, staged - whole);
            stagingPosition += whole;
            staged -= whole;
        }
        written = to > whole ? staged : 0;
    }

    /**
     * Puts what was written on stable storage.
     *
     * @throws IOException when it may not be there.
     */
    public void sync() throws IOException {
        if (syncs) {
            file.sync();
            syncedSequence = writtenSequence;
        }
        durableSequence = writtenSequence;
    }

    /**
     * Notes in the file's head how far the log is on stable storage, so that damage before there is never taken for the
     * end. For times without anything better to do.
     *
     * @throws IOException when the disk fails.
     */
    public void mark() throws IOException {
        head.mark(syncedSequence, epoch);
        file.write(head.bytes(), 0);
    }

    /** The newest record that was taken. */
    public long appendedSequence() {
        return appendedSequence;
    }

    /** The newest record in the file. */
    public long writtenSequence() {
        return writtenSequence;
    }

    /** The newest record on stable storage; without syncs, in the file. */
    public long durableSequence() {
        return durableSequence;
    }

    public long bytesWritten() {
        return bytesWritten;
    }

    /**
     * Writes and syncs what is left, says so in the head, and closes the file.
     *
     * @throws IOException when the disk fails.
     */
    public void close() throws IOException {
        try (StoredFile closed = file) {
            write();
            sync();
            mark();
            if (syncs) {
                closed.sync();
            }
        }
    }

    /** Closes the file as it is, and gives memory back. After {@link #close()} or a failure. */
    public void free() throws IOException {
        file.close();
        spares.close();
        memory.free();
        head.free();
        headBefore.free();
    }

    /** Writes zeros over what is behind the last record, so that it is not met again. */
    private void erase(final long length) throws IOException {
        if (length > 0) {
            final long to = BitUtil.align(stagingPosition + staged + length, BLOCK_LENGTH);
            staging.setMemory(staged, staging.capacity() - staged, (byte) 0);
            file.write(memory.bytes().clear().limit(BLOCK_LENGTH), stagingPosition);
            final int zeros = staging.capacity() - BLOCK_LENGTH;
            for (long at = stagingPosition + BLOCK_LENGTH; at < to; at += zeros) {
                final int count = (int) Math.min(zeros, to - at);
                file.write(memory.bytes().clear().limit(BLOCK_LENGTH + count).position(BLOCK_LENGTH), at);
            }
        }
    }

    private boolean roll() throws IOException {
        if (!spares.isReady()) {
            return false;
        }
        write();
        sync();
        final JournalSpares.Spare spare = spares.take();
        if (spare == null) {
            return false;
        }
        final JournalHead headOfFull = head;
        head = headBefore;
        headBefore = headOfFull;
        final JournalFile next;
        try (StoredFile full = file) {
            file = spare.file();
            index = new SparseIndex(file.length());
            next = begin(spare);
            // Says so once the next one is there, and before anything is acknowledged that is in it.
            headOfFull.mark(syncedSequence, epoch);
            headOfFull.next(next.firstSequence());
            full.write(headOfFull.bytes(), 0);
            full.sync();
        }
        files.add(next);
        return true;
    }

    /** The run before may have ended before the file that was full said which one follows. */
    private void linkToLast(final JournalFile last) throws IOException {
        final JournalFile full = JournalChain.before(files, last);
        if (full != null) {
            JournalChain.link(files, full, last);
        }
    }

    /** Makes the spare that is open the file of the next record. Returns that. */
    private JournalFile begin(final JournalSpares.Spare spare) throws IOException {
        fileLength = file.length();
        final JournalFile next = new JournalFile(appendedSequence + 1, index, true);
        head.init(
                files.shard(),
                next.firstSequence(),
                fileLength,
                clock.nanoTime(),
                epoch,
                spare.recycled(),
                syncedSequence);
        head.logId(files.logId());
        file.write(head.bytes(), 0);
        file.sync();
        files.storage().rename(spare.name(), next.name());
        files.storage().sync();
        stagingPosition = BLOCK_LENGTH;
        staged = 0;
        written = 0;
        return next;
    }

    /** Ends the group of records that are written together. */
    private void endGroup() throws IOException {
        final long position = stagingPosition + staged;
        countZeroSectors(position);
        CommitRecord.write(
                commit,
                syncedSequence,
                appendedSequence,
                (int) (position - groupPosition),
                zeroSectors,
                clock.nanoTime(),
                epoch);
        copy(commit, commit.byteBuffer(), 0, HEADER_LENGTH);
        groupPosition = NO_GROUP;
    }

    /** Counts those of the group that are whole, and still in the staging buffer. */
    private void countZeroSectors(final long to) {
        for (long next = CommitRecord.sectorEnd(countedPosition);
                next <= to;
                next = CommitRecord.sectorEnd(countedPosition)) {
            final int length = (int) (next - countedPosition);
            if (CommitRecord.isZero(staging, (int) (countedPosition - stagingPosition), length)) {
                zeroSectors++;
            }
            countedPosition = next;
        }
    }

    /** Copies a record, in pieces if it is longer than what is left of the staging buffer. */
    private void copy(final DirectBuffer record, final ByteBuffer bytes, final int offset, final int length)
            throws IOException {
        final int sum = checksum.compute(bytes, offset, length);
        if (staging.capacity() - staged < HEADER_LENGTH) {
            makeRoom();
        }
        final int start = staged;
        int done = Math.min(length, staging.capacity() - staged);
        staging.putBytes(staged, record, offset, done);
        staging.putInt(start + CHECKSUM_OFFSET, sum, LITTLE_ENDIAN);
        staged += done;
        while (done < length) {
            makeRoom();
            final int piece = Math.min(length - done, staging.capacity() - staged);
            staging.putBytes(staged, record, offset + done, piece);
            staged += piece;
            done += piece;
        }
        final int padding = RecordDescriptor.alignedLength(length) - length;
        if (padding > 0) {
            staging.setMemory(staged, padding, (byte) 0);
            staged += padding;
        }
    }
}
