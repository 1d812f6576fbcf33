package io.penstock.broker.history;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalReader;
import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotFiles;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last record of a shard's log that counts for state as it was: a given one, or the last that was taken at a time or
 * before it. Confined to the historian.
 */
final class PastPoint implements AutoCloseable {
    private static final int RECORD_LIMIT = 1024;

    private JournalFiles files;
    private final long logId;
    private final ShardCounters counters;
    private final long timeNs;

    /** The newest record that may count. */
    private final long newest;

    private @Nullable JournalReader reader;

    /** The first record after the time was the first one that the log has: only a snapshot can say what was before. */
    private boolean isBeforeLog;

    private long sequence;
    private int workCount;

    PastPoint(final PastLog log, final long timeNs, final long newest) {
        this.files = log.files();
        logId = log.files().logId();
        this.counters = log.counters();
        this.timeNs = timeNs;
        this.newest = newest;
    }

    /** Looks in other files. Called before {@link #find}. */
    void files(final JournalFiles wanted) {
        files = wanted;
    }

    /** Whether all that may count is in the files. */
    boolean isWritten() throws HistoryRefusedException {
        return isWritten(newest);
    }

    /** The last record that counts, once it was found. */
    long sequence() {
        return sequence;
    }

    /** The work of the last call of {@link #find}. */
    int workCount() {
        return workCount;
    }

    /** Looks for it. Returns false when there is more to do, or the log is not written as far. */
    boolean find() throws IOException, HistoryRefusedException {
        workCount = 0;
        if (timeNs != HistoryTask.NO_TIME) {
            return findTime();
        }
        if (!isWritten(newest)) {
            return false;
        }
        sequence = newest;
        return true;
    }

    /**
     * Chooses the snapshot to begin with. Returns its sequence; 0 when the log is to be read from its first record.
     *
     * @param passedOver those that are not to be used.
     * @throws HistoryRefusedException when neither reaches back to the record.
     */
    long chooseSnapshot(final List<String> passedOver) throws IOException, HistoryRefusedException {
        final long first = files.firstSequence();
        for (final long each : new SnapshotFiles(files.storage()).sequences()) {
            if (each <= sequence
                    && (each == sequence || each + 1 >= first)
                    && !passedOver.contains(files.shard() + ":" + each)
                    && (!isBeforeLog || isTakenInTime(each))) {
                return each;
            }
        }
        if (first > 1 || (first == 0 && sequence > 0)) {
            throw new HistoryRefusedException(
                    ErrorCode.BOOKMARK_NOT_FOUND,
                    "sow of state as it was: too long ago: the log of shard " + files.shard() + " has " + first + " to "
                            + newest
                            + ", and no snapshot reaches further back (ask for a later point; keep the whole log,"
                            + " or have snapshots less often)");
        }
        return 0;
    }

    @Override
    public void close() throws IOException {
        final JournalReader present = reader;
        reader = null;
        if (present != null) {
            present.close();
        }
    }

    private boolean findTime() throws IOException, HistoryRefusedException {
        final long first = files.firstSequence();
        if (first == 0 || newest == 0) {
            sequence = newest;
            return true;
        }
        if (!isWritten(first)) {
            return false;
        }
        JournalReader present = reader;
        if (present == null) {
            present = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT);
            reader = present;
            // An index may be ahead of what is written.
            final long near = Math.min(
                    files.sequenceBefore(timeNs + 1), counters.writtenSequence().get());
            present.seek(Math.max(first, near));
        }
        while (workCount < RECORD_LIMIT) {
            final long next = present.nextSequence();
            if (next > newest) {
                return found(next - 1);
            }
            if (!isWritten(next)) {
                return false;
            }
            present.next(next);
            workCount++;
            if (RecordDescriptor.timestampNs(present.buffer(), present.offset()) > timeNs) {
                isBeforeLog = next == first && first > 1;
                return found(next - 1);
            }
        }
        return false;
    }

    private boolean found(final long last) throws IOException {
        sequence = last;
        close();
        return true;
    }

    private boolean isWritten(final long upTo) throws HistoryRefusedException {
        if (counters.writtenSequence().get() >= upTo) {
            return true;
        }
        if (counters.journalStatus().get() == JournalStatus.FAILED) {
            throw new HistoryRefusedException(
                    ErrorCode.JOURNAL_FAILED,
                    "sow of state as it was: the broker's disk has failed before it was written (ask when the broker was"
                            + " restarted)");
        }
        return false;
    }

    private boolean isTakenInTime(final long snapshot) throws IOException {
        try (SnapshotReader head = new SnapshotReader(files.storage(), files.shard(), logId, snapshot)) {
            return head.createdNs() <= timeNs;
        } catch (final SnapshotCorruptException | NoSuchFileException e) {
            // The snapshot cannot be used in any case.
            return false;
        }
    }
}
