package io.penstock.broker.journal;

import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a shard's log to its end, checks each record, and finds files that a broker adds meanwhile, unless its end was
 * fixed before. Removed records may have named topics and publishers: those names come from a snapshot. Changes
 * nothing. Has one owner.
 */
public final class LogScan implements AutoCloseable {
    private static final int ATTEMPTS = 5;

    private final ShardLog log;
    private final long to;
    private final JournalFiles files;
    private final JournalReader reader;
    private final List<String> problems = new ArrayList<>();
    private LogNames names = new LogNames();
    private @Nullable SparseIndex index;
    private @Nullable JournalFile indexed;
    private long fileCount;
    private long recordCount;
    private long byteCount;
    private boolean isOver;
    private boolean isTorn;

    /**
     * @param from sequence of the first record that is wanted.
     * @param to   sequence of the last one; {@link Long#MAX_VALUE} = the last there is.
     */
    LogScan(final ShardLog log, final long from, final long to) throws IOException {
        this.log = log;
        this.to = to;
        files = new JournalFiles(log.shard(), 0, log.storage());
        reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT);
        boolean opened = false;
        try {
            begin(from);
            opened = true;
        } finally {
            if (!opened) {
                reader.close();
            }
        }
    }

    /** Goes to the first record that is wanted; a broker may remove the first file at any time. */
    private void begin(final long from) throws IOException {
        for (int attempt = 1; ; attempt++) {
            list();
            final long first = files.firstSequence();
            if (first == 0) {
                isOver = true;
                return;
            }
            try {
                reader.seek(Math.max(first, from));
                break;
            } catch (final NoSuchFileException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                files.removeFirst();
            }
        }
        if (files.firstSequence() > 1) {
            takeNames();
        }
    }

    /** The newest undamaged snapshot has the names from records before the first. */
    private void takeNames() throws IOException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            problems.clear();
            try {
                takeNewestNames();
                return;
            } catch (final NoSuchFileException e) {
                // A broker has taken newer ones meanwhile.
                names = new LogNames();
            }
        }
    }

    private void takeNewestNames() throws IOException {
        for (final long sequence : log.snapshots()) {
            try (SnapshotReader snapshot = log.snapshot(sequence)) {
                final LogNames named = new LogNames();
                named.load(snapshot);
                names = named;
                return;
            } catch (final SnapshotCorruptException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * Goes to the next record.
     *
     * @return false at the end of the log.
     * @throws JournalCorruptException when a record is damaged or missing; the scan is over then.
     * @throws IOException             when the files cannot be read.
     */
    public boolean next() throws IOException {
        if (isOver || !advance()) {
            return false;
        }
        if (sequence() > to) {
            isOver = true;
            return false;
        }
        recordCount++;
        byteCount += RecordDescriptor.alignedLength(reader.length());
        names.onRecord(reader.buffer(), reader.offset());
        return true;
    }

    private boolean advance() throws IOException {
        try {
            if (reader.tryNext()) {
                return true;
            }
            // Records that are written meanwhile come before the next file.
            list();
            if (reader.tryNext()) {
                return true;
            }
        } catch (final NoSuchFileException e) {
            throw new IOException(
                    log.path() + ": record " + reader.nextSequence()
                            + ": its file was removed while the log was read (start again)",
                    e);
        }
        final JournalFile last = files.last();
        if (last == null || !last.equals(reader.opened()) || reader.nextSequence() <= reader.durableSequence()) {
            throw reader.corrupt();
        }
        if (reader.followedBy() > 0) {
            throw new JournalChain(files, KnownFiles.NONE).missing(reader.followedBy());
        }
        final LogTail tail = reader.tail();
        isTorn = tail.length() > 0;
        // A write that was under way when the record was looked for is complete by now.
        if (tail.isDamage() && !reader.tryNext()) {
            reader.tail();
            throw reader.corrupt();
        }
        return tail.isDamage();
    }

    /**
     * Whether the present record is one that the sparse index of its file names.
     *
     * @return true for the first one in each step of the file. To be asked once for every record.
     */
    public boolean isIndexed() {
        final JournalFile file = reader.opened();
        SparseIndex present = index;
        if (present == null || !Objects.equals(file, indexed)) {
            present = new SparseIndex();
            index = present;
            indexed = file;
        }
        present.onRecord(reader.buffer(), reader.offset(), reader.recordPosition());
        return present.floor(sequence()) == sequence();
    }

    public int shard() {
        return log.shard();
    }

    /** Names from the records so far, and from records before the first, as far as a snapshot has them. */
    public LogNames names() {
        return names;
    }

    /**
     * Problems of snapshots that should have the names from records before the first.
     *
     * @return for people, each with its file; empty when nothing is.
     */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Holds the present record until the next call of {@link #next}. */
    public DirectBuffer buffer() {
        return reader.buffer();
    }

    /** Offset of the present record in the buffer. */
    public int offset() {
        return reader.offset();
    }

    /** Sequence of the present record; at the end, of the last one, unless the end was fixed before. */
    public long sequence() {
        return reader.nextSequence() - 1;
    }

    /** When the present record was taken, in nanoseconds since 1970. */
    public long timestampNs() {
        return RecordDescriptor.timestampNs(reader.buffer(), reader.offset());
    }

    /**
     * The file of the present record; at the end, the last file.
     *
     * @return its whole path, or the directory when there is no file.
     */
    public String path() {
        final JournalFile file = reader.opened();
        return log.storage().path(file == null ? "" : file.name());
    }

    /** Where in its file the present record begins. */
    public long position() {
        return reader.recordPosition();
    }

    /** Where in its file the next record begins; at the end, where the log ends. */
    public long endPosition() {
        return reader.position();
    }

    /** The newest record that what was read so far says to be on stable storage; 0 for none. */
    public long durableSequence() {
        return reader.durableSequence();
    }

    /** The highest run of the broker seen so far. */
    public int epoch() {
        return reader.epochMax();
    }

    /** Whether bytes follow at the end that are no record: what is just being written, or was when it was cut off. */
    public boolean isTorn() {
        return isTorn;
    }

    /** How many files were found so far. */
    public long fileCount() {
        return fileCount;
    }

    /** How many records were read so far. */
    public long recordCount() {
        return recordCount;
    }

    /** How many bytes of records were read so far. */
    public long byteCount() {
        return byteCount;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /** Takes the files that are there and were not known. */
    private void list() throws IOException {
        final JournalFile last = files.last();
        final long known = last == null ? 0 : last.firstSequence();
        for (final long first : log.sequences()) {
            if (first > known) {
                files.add(new JournalFile(first, new SparseIndex(), false));
                fileCount++;
            }
        }
    }
}
