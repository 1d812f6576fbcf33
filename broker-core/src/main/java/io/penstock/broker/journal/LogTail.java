package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_COMMIT;

import io.penstock.broker.journal.record.CommitRecord;
import io.penstock.broker.journal.record.RecordChecksum;
import io.penstock.broker.journal.record.RecordRules;
import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.StoredFile;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes in a file after its last good record: none, an unfinished write, or damage. The two differ by what a disk
 * does: it writes sectors, each wholly or not at all, into files that had zeros there. A commit at the end of a group
 * of records says how many of the group's sectors are zeros of themselves, so that each that has not come is noticed. A
 * group that has its commit and all of its sectors was written, so that a record in it that is not good was changed
 * since. Confined to one thread.
 */
final class LogTail {
    /** Most records that may be missing; a commit that states more is none of ours. */
    private static final long GROUP_COUNT_MAX = 1L << 31;

    private static final int BUFFER_LENGTH = 256 * 1024;

    private final StoredFile file;
    private final long start;
    private final long nextSequence;
    private final int epoch;
    private final int epochMax;
    private final RecordChecksum checksum = new RecordChecksum();
    private final AlignedBuffer memory = new AlignedBuffer(BUFFER_LENGTH);
    private final UnsafeBuffer buffer = memory.buffer();
    private long bufferPosition;
    private int bufferLength;
    private long end;
    private long durableSequence;
    private long lastSequence;
    private boolean isDamage;
    private boolean isCutOff;

    private LogTail(
            final StoredFile file, final long start, final long nextSequence, final int epoch, final int epochMax) {
        this.file = file;
        this.start = start;
        this.nextSequence = nextSequence;
        this.epoch = epoch;
        this.epochMax = epochMax;
        end = start;
    }

    /**
     * Reads it.
     *
     * @param file         of the log.
     * @param fileLength   that it was made with.
     * @param start        where its good records end.
     * @param nextSequence of the record that should be there, if any.
     * @param epoch        of the last good record.
     * @param epochMax     the highest of any run.
     */
    static LogTail read(
            final StoredFile file,
            final long fileLength,
            final long start,
            final long nextSequence,
            final int epoch,
            final int epochMax)
            throws IOException {
        final LogTail tail = new LogTail(file, start, nextSequence, epoch, epochMax);
        try {
            tail.read();
            tail.isCutOff = file.length() < fileLength;
            tail.isDamage |= tail.isCutOff;
        } finally {
            tail.memory.free();
        }
        return tail;
    }

    /** How many bytes there are up to the last that is not 0. */
    long length() {
        return end - start;
    }

    /** The newest sequence that a commit there says to be on stable storage, when that is not before the missing one; or 0. */
    long durableSequence() {
        return durableSequence;
    }

    /** Whether it is damage, and no write that was not finished. */
    boolean isDamage() {
        return isDamage;
    }

    /** Whether the file is shorter than it was made, which is damage. */
    boolean isCutOff() {
        return isCutOff;
    }

    /** The last sequence of the groups that have their commits there; 0 when none has. */
    long lastSequence() {
        return lastSequence;
    }

    private void read() throws IOException {
        boolean isCovered = false;
        // Looking at a commit's group may move the buffer, so each place is looked for in it.
        // A group has no bound but the file's, and what has not come of it are zeros: so all of the file is looked at.
        for (long at = start; fill(at, HEADER_LENGTH); at += RecordDescriptor.ALIGNMENT) {
            final int next = (int) (at - bufferPosition);
            if (buffer.getLong(next) != 0) {
                end = at + RecordDescriptor.ALIGNMENT;
                if (isCommit(next)) {
                    isCovered |= onCommit(next);
                }
            }
        }
        trimEnd();
        isDamage |= durableSequence >= nextSequence || (!isCovered && length() > 0 && isChanged());
    }

    /** Finds the last byte; the end of the file has too few for a commit. */
    private void trimEnd() throws IOException {
        final long searched = end;
        for (long at = searched; at < searched + HEADER_LENGTH && fill(at, 1); at++) {
            end = buffer.getByte((int) (at - bufferPosition)) == 0 ? end : at + 1;
        }
        while (end > start && fill(end - 1, 1) && buffer.getByte((int) (end - 1 - bufferPosition)) == 0) {
            end--;
        }
    }

    private boolean isCommit(final int at) {
        return RecordDescriptor.length(buffer, at) == HEADER_LENGTH
                && RecordDescriptor.type(buffer, at) == TYPE_COMMIT
                && RecordDescriptor.epoch(buffer, at) >= epoch
                && RecordDescriptor.epoch(buffer, at) <= epochMax
                && checksum.isGood(buffer, memory.bytes(), at, HEADER_LENGTH);
    }

    /** Returns whether it is the commit of the group that the missing record is in. */
    private boolean onCommit(final int at) throws IOException {
        final long position = bufferPosition + at;
        final long stated = RecordDescriptor.sequence(buffer, at);
        final long last = CommitRecord.lastSequence(buffer, at);
        if (last < nextSequence || last - nextSequence > GROUP_COUNT_MAX || stated > last) {
            return false;
        }
        durableSequence = stated >= nextSequence ? Math.max(durableSequence, stated) : durableSequence;
        lastSequence = Math.max(lastSequence, last);
        final long from = position - CommitRecord.groupLength(buffer, at);
        if (from < JournalHead.BLOCK_LENGTH) {
            return false;
        }
        if (from > start) {
            // Just what ended the group before is not there, and was stored with its records.
            isDamage |= from == start + HEADER_LENGTH && stated >= nextSequence - 1;
            return isDamage;
        }
        final int zeroSectors = CommitRecord.zeroSectors(buffer, at);
        isDamage |= zeroSectors(from, position) <= zeroSectors;
        fill(position, HEADER_LENGTH);
        return true;
    }

    private int zeroSectors(final long from, final long to) throws IOException {
        int count = 0;
        for (long at = from; CommitRecord.sectorEnd(at) <= to; at = CommitRecord.sectorEnd(at)) {
            final int length = (int) (CommitRecord.sectorEnd(at) - at);
            if (fill(at, length) && CommitRecord.isZero(buffer, (int) (at - bufferPosition), length)) {
                count++;
            }
        }
        return count;
    }

    /**
     * Whether the bytes of the missing record are neither what was there before nor the beginning of what was to come: no
     * sector of it ends in zeros.
     */
    private boolean isChanged() throws IOException {
        if (!fill(start, HEADER_LENGTH)) {
            return false;
        }
        final int at = (int) (start - bufferPosition);
        final int stated = RecordDescriptor.length(buffer, at);
        final boolean isPlausible = RecordRules.check(buffer, at, file.length() - start, nextSequence, epoch) == null;
        final long to = start + (isPlausible ? stated : HEADER_LENGTH);
        for (long sector = start; sector < to; sector = CommitRecord.sectorEnd(sector)) {
            final long last = CommitRecord.sectorEnd(sector) - 1;
            if (!fill(last, 1) || buffer.getByte((int) (last - bufferPosition)) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Makes sure that the buffer has some bytes. Returns false when the file does not. */
    private boolean fill(final long position, final int length) throws IOException {
        if (position < bufferPosition || position + length > bufferPosition + bufferLength) {
            bufferPosition = position & -JournalHead.BLOCK_LENGTH;
            bufferLength = file.read(memory.bytes().clear(), bufferPosition);
        }
        return position + length <= bufferPosition + bufferLength;
    }
}
