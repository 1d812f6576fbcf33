package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;

import io.penstock.broker.storage.StoredFile;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;

/**
 * Writes a shard's records to its files, in groups, and goes on with another file when one is full. Confined to the
 * journaler. After an exception it cannot be used any more: nothing is tried again, since after a failed sync the
 * content of the disk is unknown.
 */
public final class JournalWriter {
    private final JournalFiles files;
    private final JournalSpares spares;
    private final boolean syncs;
    private final EpochNanoClock clock;
    private final int epoch;
    private JournalHead head = new JournalHead();

    /** Head of the file that was full last. */
    private JournalHead headBefore = new JournalHead();

    private final StagingBuffer staging;
    private SparseIndex index;
    private long fileLength;

    private long appendedSequence;
    private long writtenSequence;
    private long durableSequence;

    /** The newest record that was synced: without syncs that of an earlier run, and files say nothing beyond. */
    private long syncedSequence;

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
        StagingBuffer taken = null;
        boolean isOpen = false;
        try {
            if (last == null) {
                final JournalSpares.Spare spare = takeFirst(spares);
                opened = spare.file();
                index = new SparseIndex(opened.length());
                taken = new StagingBuffer(opened, Math.max(opened.length(), spares.fileLength()));
                staging = taken;
                files.add(begin(spare));
            } else {
                opened = spares.open(last.name());
                index = last.index();
                taken = new StagingBuffer(opened, Math.max(opened.length(), spares.fileLength()));
                staging = taken;
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
        final StoredFile file = staging.file();
        final String wrong = head.check(file.read(head.bytes(), 0), files.shard());
        if (wrong != null) {
            throw new JournalCorruptException(files.storage().path(last.name()), 0, 0, wrong);
        }
        fileLength = head.fileLength();
        // The run before may have ended between the renaming of a file and the sync of its directory.
        files.storage().sync();
        linkToLast(last);
        if (syncs) {
            staging.writeAgain(last.index().position(recovered.durableSequence()), recovered.position());
            syncedSequence = appendedSequence;
        }
        staging.goOn(recovered.position());
        staging.erase(recovered.tornLength());
        // Nothing that this run writes can be taken for what an earlier one left after the end.
        mark();
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
        if (staging.position() + needed > fileLength && !roll()) {
            return false;
        }
        index.onRecord(record, offset, staging.position());
        staging.append(record, bytes, offset, length);
        appendedSequence = RecordDescriptor.sequence(record, offset);
        return true;
    }

    /**
     * Writes all records taken so far to the file, and behind them that they are all.
     *
     * @throws IOException when the disk fails.
     */
    public void write() throws IOException {
        if (staging.hasGroup()) {
            staging.writeGroup(syncedSequence, appendedSequence, clock.nanoTime(), epoch);
        }
        writtenSequence = appendedSequence;
    }

    /**
     * Puts what was written on stable storage.
     *
     * @throws IOException when it may not be there.
     */
    public void sync() throws IOException {
        if (syncs) {
            staging.file().sync();
            syncedSequence = writtenSequence;
        }
        durableSequence = writtenSequence;
    }

    /**
     * Notes in the file's head how far the log is on stable storage, so that damage before it is never taken for the
     * end. Called when there is nothing better to do.
     *
     * @throws IOException when the disk fails.
     */
    public void mark() throws IOException {
        head.mark(syncedSequence, epoch);
        staging.file().write(head.bytes(), 0);
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
        return staging.bytesWritten();
    }

    /**
     * Writes and syncs what is left, says so in the head, and closes the file.
     *
     * @throws IOException when the disk fails.
     */
    public void close() throws IOException {
        try (StoredFile closed = staging.file()) {
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
        staging.file().close();
        spares.close();
        staging.free();
        head.free();
        headBefore.free();
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
        try (StoredFile full = staging.file()) {
            staging.begin(spare.file());
            index = new SparseIndex(spare.file().length());
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
        final StoredFile file = spare.file();
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
        return next;
    }
}
