package io.penstock.broker.journal;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;

/**
 * Puts the damaged part of a shard's log aside, into a directory of its own, where nothing is lost that a person may
 * still read out of it; and makes what is left a log that can go on.
 */
final class JournalQuarantine {
    private static final String DIRECTORY = "quarantine-";
    private static final String TEMPORARY_NAME = "repair.tmp";
    private static final int PIECE_LENGTH = 1024 * 1024;

    private final JournalFiles files;
    private final Storage storage;
    private final JournalHead head = new JournalHead();
    private int epoch;
    private long known;

    JournalQuarantine(final JournalFiles files) {
        this.files = files;
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
        // What is left before the snapshot's record would have a gap before what comes next: all is put aside then.
        final boolean reached = good >= after && opened != null;
        final JournalFile first = reached && opened != null ? opened : files.snapshot()[0];
        final long last = Math.max(good, after);
        final long end = reached && first.firstSequence() <= good && !cause.isOfHead() ? reader.position() : 0;
        readHeads(first);
        epoch = Math.max(epoch, reader.epochMax());
        known = Math.max(known, Math.max(reader.durableSequence(), after));
        final Storage aside = emptyDirectory();
        if (end > 0) {
            repair(first, end, last);
        }
        moveFrom(first, end > 0, aside);
        JournalFile kept = null;
        if (end > 0) {
            storage.rename(TEMPORARY_NAME, first.name());
            kept = new JournalFile(first.firstSequence(), first.index().upTo(last), true);
            files.add(kept);
        }
        for (final long sequence : SnapshotFormat.list(storage)) {
            if (sequence > last) {
                storage.move(SnapshotFormat.name(sequence), aside);
            }
        }
        storage.sync();
        head.free();
        return new JournalRecovery.End(last, epoch, kept, end, 0, last, describe(cause, aside, good, last));
    }

    private String describe(
            final JournalCorruptException cause, final Storage aside, final long good, final long last) {
        final String lost = known > good
                ? "records " + (good + 1) + " to " + known + ", and maybe later ones, are not in the log any more"
                : "later records than " + good + " may be missing";
        return cause.getMessage() + "; put aside into " + aside.path("") + ": " + lost
                + "; the log goes on after record " + last;
    }

    /** Finds out what was there, of all heads that can be read. */
    private void readHeads(final JournalFile first) throws IOException {
        for (final JournalFile each : files.snapshot()) {
            if (each.firstSequence() >= first.firstSequence()) {
                known = Math.max(known, each.firstSequence() - 1);
                try {
                    each.readHead(storage, files.shard(), head);
                    epoch = Math.max(epoch, head.epoch());
                    known = Math.max(known, head.durableSequence());
                } catch (final JournalCorruptException e) {
                    // It says nothing then.
                    known = Math.max(known, each.firstSequence() - 1);
                }
            }
        }
    }

    private Storage emptyDirectory() throws IOException {
        for (int number = 1; ; number++) {
            final Storage aside = storage.directory(DIRECTORY + number);
            if (aside.list().isEmpty()) {
                return aside;
            }
        }
    }

    /** Makes a file of the good records of another. */
    private void repair(final JournalFile of, final long end, final long last) throws IOException {
        if (storage.exists(TEMPORARY_NAME)) {
            storage.delete(TEMPORARY_NAME);
        }
        try (StoredFile from = storage.open(of.name(), false);
                StoredFile to = storage.create(TEMPORARY_NAME)) {
            of.readHead(storage, files.shard(), head);
            final long length = head.fileLength();
            final AlignedBuffer piece = new AlignedBuffer(PIECE_LENGTH);
            try {
                for (long at = 0; at < length; at += PIECE_LENGTH) {
                    final int count = (int) Math.min(PIECE_LENGTH, length - at);
                    piece.buffer().setMemory(0, count, (byte) 0);
                    if (at < end) {
                        from.read(piece.bytes().clear().limit((int) Math.min(count, end - at)), at);
                    }
                    to.write(piece.bytes().clear().limit(count), at);
                }
            } finally {
                piece.free();
            }
            head.init(files.shard(), of.firstSequence(), length, head.createdNs(), epoch, false, last);
            to.write(head.bytes(), 0);
            to.sync();
        }
    }

    /** The last one first, so that a log whose end is gone still has the damage that says so. */
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
