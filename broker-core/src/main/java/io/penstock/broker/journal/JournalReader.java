package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.TYPE_COMMIT;

import io.penstock.broker.storage.StoredFile;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a shard's files in order, and checks each: its length, its sequence, its epoch and its checksum.
 * Has one owner. Files that were removed while they are read go on being read; those it has not come to are missed, with
 * an error that says so.
 */
public final class JournalReader implements AutoCloseable {
    /** Read at a time, in bytes. */
    public static final int BUFFER_LENGTH_DEFAULT = 256 * 1024;

    private final JournalFiles files;
    private final JournalHead head = new JournalHead();
    private final RecordWindow window;
    private @Nullable StoredFile file;
    private @Nullable JournalFile opened;
    private long followedBy;
    private boolean isIndexing;

    private long nextSequence;
    private int epoch;
    private int epochMax;
    private int offset;
    private int length;
    private long durableSequence;
    private long knownSequence;
    private @Nullable String bad;

    /**
     * Makes a reader of nothing.
     *
     * @param files        to read.
     * @param bufferLength bytes read at a time; grows for longer records.
     */
    public JournalReader(final JournalFiles files, final int bufferLength) {
        this.files = files;
        window = new RecordWindow(bufferLength);
    }

    /**
     * Goes to a record, so that {@link #next} finds it.
     *
     * @param sequence of the record, which may be the one that comes next.
     * @throws IOException when it is not in the files any more, or they cannot be read.
     */
    public void seek(final long sequence) throws IOException {
        final JournalFile holding = files.find(sequence);
        if (holding == null) {
            throw gone(sequence);
        }
        epoch = 0;
        open(holding);
        final SparseIndex index = files.index(holding);
        final long near = index.floor(sequence);
        if (near > 0) {
            nextSequence = near;
            window.fill(index.position(near));
        }
        while (nextSequence < sequence) {
            if (read()) {
                nextSequence++;
            } else if (!openFollowing()) {
                throw corrupt();
            }
        }
    }

    /**
     * Goes to the first record at or after a time, so that {@link #next} finds it; when there is none, after the last.
     *
     * @param timestampNs since 1970, of the broker's clock when it took the record.
     * @param limit       sequence up to which records are known to be written.
     * @throws IOException when files cannot be read.
     */
    public void seekTime(final long timestampNs, final long limit) throws IOException {
        seek(Math.max(files.sequenceBefore(timestampNs), files.firstSequence()));
        while (next(limit)) {
            if (RecordDescriptor.timestampNs(window.buffer(), offset) >= timestampNs) {
                window.next(offset);
                nextSequence--;
                return;
            }
        }
    }

    /** Notes in the files' indexes where records are. For the one that reads them before anybody writes. */
    void indexing() {
        isIndexing = true;
    }

    /**
     * Reads the next record.
     *
     * @param limit sequence up to which records are known to be written.
     * @return false when the next one is above the limit.
     * @throws JournalCorruptException when the next one is not as it was written.
     * @throws IOException             when files cannot be read.
     */
    public boolean next(final long limit) throws IOException {
        if (nextSequence > limit) {
            return false;
        }
        if (!advance(limit)) {
            if (nextSequence > limit) {
                // The file that goes on after lost records has none yet.
                return false;
            }
            if (nextSequence < files.firstSequence()) {
                throw gone(nextSequence);
            }
            throw corrupt();
        }
        return true;
    }

    /**
     * Reads the next record if there is a good one. For a log that nobody writes.
     *
     * @return false at the end, whatever is there.
     * @throws IOException when files cannot be read.
     */
    boolean tryNext() throws IOException {
        return advance(Long.MAX_VALUE);
    }

    private boolean advance(final long limit) throws IOException {
        while (!read()) {
            if (!openFollowing() || nextSequence > limit) {
                return false;
            }
        }
        nextSequence++;
        return true;
    }

    private boolean openFollowing() throws IOException {
        final JournalFile following = files.following(opened, nextSequence, head);
        if (following == null) {
            return false;
        }
        final boolean isGap = following.firstSequence() > nextSequence;
        if (isIndexing && isGap && (durableSequence >= nextSequence || tail().isDamage())) {
            // The damage before the gap is still there: putting it aside was cut short.
            return false;
        }
        open(following);
        return true;
    }

    /** The last good record of a file, which is one before its first when it has none. */
    long lastOf(final JournalFile whole) throws IOException {
        epoch = 0;
        open(whole);
        while (read()) {
            nextSequence++;
        }
        return nextSequence - 1;
    }

    /** The exception for the bytes where the next record should be. After {@link #tryNext} has returned false. */
    JournalCorruptException corrupt() {
        final JournalFile present = opened;
        return new JournalCorruptException(
                present == null ? "" : files.storage().path(present.name()),
                position(),
                nextSequence,
                bad == null ? "it is missing" : bad);
    }

    /** Takes the present record for one that is not good, so that it is the next one again. Returns what to throw. */
    JournalCorruptException refuse(final String reason) {
        window.next(offset);
        nextSequence--;
        bad = reason;
        return corrupt();
    }

    /** The bytes after the last good record. After {@link #tryNext} has returned false. */
    LogTail tail() throws IOException {
        final LogTail tail = window.tail(nextSequence, epoch, epochMax);
        if (tail.isCutOff()) {
            bad = window.cutOff();
        }
        knownSequence = Math.max(knownSequence, Math.max(tail.lastSequence(), tail.durableSequence()));
        if (tail.isDamage() && tail.lastSequence() >= nextSequence) {
            bad = (bad == null ? "it is missing" : bad) + "; records " + nextSequence + " to " + tail.lastSequence()
                    + " were written and may have been acknowledged, and cannot be read";
        }
        return tail;
    }

    public DirectBuffer buffer() {
        return window.buffer();
    }

    public int offset() {
        return offset;
    }

    /**
     * The present record's header and payload.
     *
     * @return length in bytes, without padding.
     */
    public int length() {
        return length;
    }

    /**
     * The sequence of the record that {@link #next} finds.
     *
     * @return sequence.
     */
    public long nextSequence() {
        return nextSequence;
    }

    /** Where in the opened file the present record begins. */
    long recordPosition() {
        return window.position(offset);
    }

    /** Where in the opened file the next record begins. */
    long position() {
        return window.position();
    }

    /** The newest sequence that what was read so far says to be on stable storage. */
    long durableSequence() {
        return durableSequence;
    }

    /** The first sequence of the file that comes after the opened one, as that one says; 0 when there was none yet. */
    long followedBy() {
        return followedBy;
    }

    /** The highest sequence named by anything read so far, whether its record is there or not. */
    long knownSequence() {
        return Math.max(knownSequence, durableSequence);
    }

    /** The highest epoch seen so far, of records and of runs that have written none. */
    int epochMax() {
        return epochMax;
    }

    @Nullable
    JournalFile opened() {
        return opened;
    }

    @Override
    public void close() throws IOException {
        closeFile();
        window.free();
        head.free();
    }

    private void closeFile() throws IOException {
        final StoredFile present = file;
        final JournalFile pinned = opened;
        file = null;
        window.file(null);
        opened = null;
        if (present != null) {
            present.close();
        }
        if (pinned != null) {
            pinned.unpin();
        }
    }

    private JournalGoneException gone(final long sequence) {
        return new JournalGoneException(files.shard(), sequence, files.firstSequence());
    }

    private void open(final JournalFile next) throws IOException {
        if (!next.equals(opened)) {
            closeFile();
            if (!next.pin()) {
                throw gone(next.firstSequence());
            }
            opened = next;
            final StoredFile present = files.storage().open(next.name(), false);
            file = present;
            window.file(present);
            final String wrong = next.checkHead(head, present.read(head.bytes(), 0), files);
            if (wrong != null) {
                throw new JournalCorruptException(files.storage().path(next.name()), 0, 0, wrong);
            }
            window.fileLength(head.fileLength());
            followedBy = head.next();
            durableSequence = Math.max(durableSequence, head.durableSequence());
            epochMax = Math.max(epochMax, head.epoch());
        }
        nextSequence = next.firstSequence();
        window.fill(JournalHead.BLOCK_LENGTH);
    }

    /** Reads the next good record of this file. Returns false, and keeps what is wrong, when there is none. */
    private boolean read() throws IOException {
        boolean fresh = false;
        while (true) {
            bad = window.check(nextSequence, epoch);
            if (bad != null) {
                if (fresh) {
                    return false;
                }
                // The next bytes in the file may have been written since it was read.
                window.fill(window.position());
                fresh = true;
                continue;
            }
            final DirectBuffer buffer = window.buffer();
            offset = window.next();
            length = RecordDescriptor.length(buffer, offset);
            window.next(offset + RecordDescriptor.alignedLength(length));
            epoch = RecordDescriptor.epoch(buffer, offset);
            epochMax = Math.max(epochMax, epoch);
            if (RecordDescriptor.type(buffer, offset) != TYPE_COMMIT) {
                if (isIndexing && opened != null) {
                    opened.index().onRecord(buffer, offset, recordPosition());
                }
                return true;
            }
            durableSequence = Math.max(durableSequence, RecordDescriptor.sequence(buffer, offset));
            fresh = false;
        }
    }
}
