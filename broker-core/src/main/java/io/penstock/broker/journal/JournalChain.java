package io.penstock.broker.journal;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether all files of a shard are there, and all are of its log. The head of each full file names the next one,
 * and the manifest notes where the log begins and its newest file. Reads nothing but heads. Confined to one thread.
 */
final class JournalChain {
    private final JournalFiles files;
    private final KnownFiles known;
    private final Storage storage;

    JournalChain(final JournalFiles files, final KnownFiles known) {
        this.files = files;
        this.known = known;
        storage = files.storage();
    }

    /**
     * Refuses files that are not all there.
     *
     * @throws JournalCorruptException with the first that is missing, or is not what it should be.
     * @throws IOException             when they cannot be read.
     */
    void check() throws IOException {
        final JournalFile[] present = files.snapshot();
        if (known.first() > 0 && (present.length == 0 || present[0].firstSequence() > known.first())) {
            throw missing(known.first());
        }
        final JournalHead head = new JournalHead();
        try {
            long next = 0;
            for (final JournalFile file : present) {
                if (next > 0 && next != file.firstSequence()) {
                    throw missing(next);
                }
                final long length = file.readHead(files, head);
                if (length < head.fileLength()) {
                    throw new JournalCorruptException(
                            storage.path(file.name()),
                            length,
                            file.firstSequence(),
                            "the file is cut off, and was made with " + head.fileLength() + " bytes");
                }
                next = head.next();
            }
            if (next > 0) {
                throw missing(next);
            }
        } finally {
            head.free();
        }
        checkNewest();
    }

    /**
     * Refuses a log whose newest file is not there.
     *
     * @throws JournalCorruptException with that file.
     */
    void checkNewest() throws JournalCorruptException {
        // One in the middle is missed by the file before it. A later one may be there that was not noted any more.
        final JournalFile last = files.last();
        if (known.newest() > 0 && (last == null || last.firstSequence() < known.newest())) {
            throw missing(known.newest());
        }
    }

    /**
     * Goes on without files that nothing is read of at a start. Where one is missing the gap is stated in its neighbours'
     * heads; one that is not good is moved.
     *
     * @param from first sequence that is read.
     * @return what is missing, for people; empty when nothing is.
     */
    List<String> mend(final long from) throws IOException {
        final List<String> lost = new ArrayList<>();
        final JournalFile[] present = files.snapshot();
        if (known.first() > 0 && present.length > 0 && present[0].firstSequence() > known.first()) {
            lost.add(missing(known.first()).getMessage());
        }
        final JournalFile read = files.find(from);
        final JournalHead head = new JournalHead();
        try {
            JournalFile before = null;
            long next = 0;
            for (final JournalFile file : present) {
                if (file.firstSequence() > from) {
                    break;
                }
                try {
                    file.readHead(files, head);
                } catch (final JournalCorruptException e) {
                    if (!file.equals(read)) {
                        putAside(file);
                        lost.add(String.valueOf(e.getMessage()));
                        continue;
                    }
                    return lost;
                }
                final long following = head.next();
                if (before != null && next > 0 && next != file.firstSequence()) {
                    lost.add(missing(next).getMessage());
                    stateGap(before, file, head);
                }
                before = file;
                next = following;
            }
        } finally {
            head.free();
        }
        return lost;
    }

    /**
     * Lets a full file say which one follows.
     *
     * @param file that is full.
     * @param next that comes after it.
     */
    static void link(final JournalFiles files, final JournalFile file, final JournalFile next) throws IOException {
        final JournalHead head = new JournalHead();
        try (StoredFile opened = files.storage().open(file.name(), true)) {
            file.readHead(files, head);
            if (head.next() != next.firstSequence()) {
                head.next(next.firstSequence());
                opened.write(head.bytes(), 0);
                opened.sync();
            }
        } finally {
            head.free();
        }
    }

    /** The file before another one, or null. */
    static @Nullable JournalFile before(final JournalFiles files, final JournalFile file) {
        JournalFile previous = null;
        for (final JournalFile each : files.snapshot()) {
            if (each.equals(file)) {
                return previous;
            }
            previous = each;
        }
        return null;
    }

    private void stateGap(final JournalFile before, final JournalFile file, final JournalHead head) throws IOException {
        final long last;
        try (JournalReader reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT)) {
            last = reader.lastOf(before);
        }
        try (StoredFile opened = storage.open(file.name(), true)) {
            file.readHead(files, head);
            head.follows(last);
            opened.write(head.bytes(), 0);
            opened.sync();
        }
        link(files, before, file);
    }

    private void putAside(final JournalFile file) throws IOException {
        final Storage aside = JournalQuarantine.emptyDirectory(storage);
        if (storage.exists(file.indexName())) {
            storage.move(file.indexName(), aside);
        }
        storage.move(file.name(), aside);
        aside.sync();
        storage.sync();
        files.remove(file);
    }

    /** The exception for a missing file. */
    JournalCorruptException missing(final long firstSequence) {
        return new JournalCorruptException(
                storage.path(JournalFile.name(firstSequence)), 0, firstSequence, "the file is missing");
    }
}
