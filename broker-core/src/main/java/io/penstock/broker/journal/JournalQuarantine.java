package io.penstock.broker.journal;

import io.penstock.broker.journal.snapshot.SnapshotFormat;
import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Puts the damaged part of a shard's log aside, into a directory of its own, so that people can still read it; and
 * makes the rest a log that can go on. The log goes on far above the highest known sequence, so that no sequence is
 * given twice.
 */
final class JournalQuarantine {
    private static final String DIRECTORY = "quarantine-";
    private static final String TEMPORARY_NAME = "repair.tmp";
    private static final String NEXT_NAME = "next.tmp";
    private static final int PIECE_LENGTH = 1024 * 1024;

    /** Sequences left out: more than can have been given since the last one that files or their names still show. */
    private static final long GAP = 1L << 32;

    /** The same for a copy of a log, whose original may have gone on for long. */
    private static final long GAP_OF_COPY = 1L << 40;

    private final JournalFiles files;
    private final Storage storage;
    private final long newFileLength;
    private final JournalHead head = new JournalHead();
    private int epoch;
    private long known;
    private long createdNs;

    /**
     * @param noted         what is noted of the log's files.
     * @param newFileLength of the file that the log goes on in, in bytes.
     */
    JournalQuarantine(final JournalFiles files, final KnownFiles noted, final long newFileLength) {
        this.files = files;
        known = noted.newest();
        this.newFileLength = newFileLength;
        storage = files.storage();
    }

    /**
     * Puts files aside.
     *
     * @param reader that has met the damage.
     * @param after  sequence that the state goes up to without the log.
     * @param cause  what is wrong.
     * @return where what is left ends.
     */
    JournalRecovery.End putAside(final JournalReader reader, final long after, final JournalCorruptException cause)
            throws IOException {
        final long good = Math.max(0, reader.nextSequence() - 1);
        final JournalFile opened = reader.opened();
        // If the rest ends before the snapshot's record, there would be a gap before the next record: everything is put
        // aside then.
        final boolean reached = good >= after && opened != null;
        final JournalFile first = reached && opened != null ? opened : files.snapshot()[0];
        final long last = Math.max(good, after);
        final long end = reached && first.firstSequence() <= good && !cause.isOfHead() ? reader.position() : 0;
        readHeads();
        epoch = Math.max(epoch, reader.epochMax());
        known = Math.max(known, Math.max(reader.knownSequence(), last));
        noteSnapshots();
        final long follows = end > 0 ? good : lastBefore(first, reader, last);
        final Storage aside = emptyDirectory(storage);
        if (end > 0) {
            repair(first, end, last, known + GAP + 1);
        }
        // Its name comes before others go: whatever happens, these sequences are known from then on.
        final JournalFile next = makeNext(follows);
        moveFrom(first, end > 0, aside);
        if (end > 0) {
            storage.rename(TEMPORARY_NAME, first.name());
            files.add(new JournalFile(first.firstSequence(), first.index().upTo(last), true));
        }
        files.add(next);
        final JournalFile previous = JournalChain.before(files, next);
        if (previous != null) {
            JournalChain.link(files, previous, next);
        }
        for (final long sequence : SnapshotFormat.list(storage)) {
            if (sequence > last) {
                storage.move(SnapshotFormat.name(sequence), aside);
            }
        }
        storage.sync();
        head.free();
        return end(next, cause.getMessage() + "; put aside into " + aside.path("") + ": " + describe(good, next));
    }

    /**
     * Begins a log that was there and has no file any more.
     *
     * @param after sequence that the state goes up to.
     * @param cause what is wrong.
     * @return where it begins.
     */
    JournalRecovery.End begin(final long after, final JournalCorruptException cause) throws IOException {
        known = Math.max(known, after);
        noteSnapshots();
        final JournalFile next = makeNext(after);
        storage.sync();
        files.add(next);
        head.free();
        return end(next, cause.getMessage() + ": " + describe(after, next));
    }

    /**
     * Lets a log that is whole go on above all sequences that its original may have given since.
     *
     * @param last record of the log.
     * @return the first sequence that the log goes on with.
     */
    long leaveGap(final long last) throws IOException {
        try {
            readHeads();
            known = Math.max(known, last) + GAP_OF_COPY - GAP;
            final JournalFile next = makeNext(removeIfEmpty(files.last(), last));
            final JournalFile before = files.last();
            if (before != null) {
                JournalChain.link(files, before, next);
            }
            storage.sync();
            return next.firstSequence();
        } finally {
            head.free();
        }
    }

    /** Removes a file that has no record, as nothing may follow it. Returns after which record the next one comes. */
    private long removeIfEmpty(final @Nullable JournalFile newest, final long last) throws IOException {
        if (newest == null || newest.firstSequence() <= last) {
            return last;
        }
        newest.readHead(files, head);
        storage.delete(newest.name());
        files.removeFrom(newest);
        return head.follows();
    }

    private JournalRecovery.End end(final JournalFile next, final String lost) {
        final long sequence = next.firstSequence() - 1;
        return new JournalRecovery.End(sequence, epoch, next, JournalHead.BLOCK_LENGTH, 0, sequence, lost);
    }

    private String describe(final long good, final JournalFile next) {
        final String lost = known > good
                ? "records " + (good + 1) + " to " + known + ", and maybe later ones, are not in the log any more"
                : "later records than " + good + " may be missing";
        return lost + "; the last good one is " + good + ", and the log goes on with record " + next.firstSequence()
                + ", so that no bookmark means another message now";
    }

    /** The last record before a file, or the one that the state goes up to when there is no file before. */
    private long lastBefore(final JournalFile first, final JournalReader reader, final long last) throws IOException {
        JournalFile previous = null;
        for (final JournalFile each : files.snapshot()) {
            if (each.equals(first)) {
                break;
            }
            previous = each;
        }
        return previous == null ? last : reader.lastOf(previous);
    }

    private void noteSnapshots() throws IOException {
        for (final long sequence : SnapshotFormat.list(storage)) {
            known = Math.max(known, sequence);
        }
    }

    /** Makes the file that the log goes on in. */
    private JournalFile makeNext(final long follows) throws IOException {
        final JournalFile next = new JournalFile(known + GAP + 1, new SparseIndex(newFileLength), true);
        deleteIfThere(NEXT_NAME);
        try (StoredFile to = storage.create(NEXT_NAME)) {
            fill(to, newFileLength, null, 0);
            head.init(
                    files.shard(),
                    next.firstSequence(),
                    newFileLength,
                    createdNs,
                    epoch,
                    false,
                    next.firstSequence() - 1);
            head.follows(follows);
            head.logId(files.logId());
            to.write(head.bytes(), 0);
            to.sync();
        }
        storage.rename(NEXT_NAME, next.name());
        storage.sync();
        return next;
    }

    /** Finds out what was there, of all heads that can be read. */
    private void readHeads() throws IOException {
        for (final JournalFile each : files.snapshot()) {
            known = Math.max(known, each.firstSequence() - 1);
            try {
                each.readHead(files, head);
                epoch = Math.max(epoch, head.epoch());
                known = Math.max(known, Math.max(head.durableSequence(), head.next() - 1));
                createdNs = Math.max(createdNs, head.createdNs());
            } catch (final JournalCorruptException e) {
                // It says nothing then.
                known = Math.max(known, each.firstSequence() - 1);
            }
        }
    }

    /** A directory for what is damaged, which has nothing yet. */
    static Storage emptyDirectory(final Storage storage) throws IOException {
        for (int number = 1; ; number++) {
            final Storage aside = storage.directory(DIRECTORY + number);
            if (aside.list().isEmpty()) {
                return aside;
            }
        }
    }

    /** Makes a file of the good records of another. */
    private void repair(final JournalFile of, final long end, final long last, final long next) throws IOException {
        deleteIfThere(TEMPORARY_NAME);
        try (StoredFile from = storage.open(of.name(), false);
                StoredFile to = storage.create(TEMPORARY_NAME)) {
            of.readHead(files, head);
            final long length = head.fileLength();
            fill(to, length, from, end);
            final long follows = head.follows();
            head.init(files.shard(), of.firstSequence(), length, head.createdNs(), epoch, false, last);
            if (follows != of.firstSequence() - 1) {
                head.follows(follows);
            }
            head.logId(files.logId());
            head.next(next);
            to.write(head.bytes(), 0);
            to.sync();
        }
    }

    /** Writes the beginning of another file, if there is one, and zeros after it. */
    private static void fill(final StoredFile to, final long length, final @Nullable StoredFile from, final long end)
            throws IOException {
        final AlignedBuffer piece = new AlignedBuffer(PIECE_LENGTH);
        try {
            for (long at = 0; at < length; at += PIECE_LENGTH) {
                final int count = (int) Math.min(PIECE_LENGTH, length - at);
                piece.buffer().setMemory(0, count, (byte) 0);
                if (from != null && at < end) {
                    from.read(piece.bytes().clear().limit((int) Math.min(count, end - at)), at);
                }
                to.write(piece.bytes().clear().limit(count), at);
            }
        } finally {
            piece.free();
        }
    }

    private void deleteIfThere(final String name) throws IOException {
        if (storage.exists(name)) {
            storage.delete(name);
        }
    }

    /** The last one first, so that a log that has lost its end still has the damage that shows it. */
    private void moveFrom(final JournalFile first, final boolean isRepaired, final Storage aside) throws IOException {
        final JournalFile[] present = files.snapshot();
        for (int i = present.length - 1; i >= 0 && present[i].firstSequence() >= first.firstSequence(); i--) {
            if (storage.exists(present[i].indexName())) {
                storage.move(present[i].indexName(), aside);
            }
            if (isRepaired && present[i] == first) {
                // It stays until the repaired one takes its name.
                storage.copy(first.name(), aside);
            } else {
                storage.move(present[i].name(), aside);
            }
            aside.sync();
        }
        files.removeFrom(first);
    }
}
