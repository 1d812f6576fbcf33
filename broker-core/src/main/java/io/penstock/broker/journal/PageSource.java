package io.penstock.broker.journal;

import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** The file that a {@link PageReader} reads at present: found, kept from going, and followed by the next. One owner. */
final class PageSource implements AutoCloseable {
    private final JournalFiles files;
    private final JournalHead head = new JournalHead();
    private @Nullable StoredFile file;
    private @Nullable JournalFile opened;
    private @Nullable JournalFile following;
    private long fileLength;

    PageSource(final JournalFiles files) {
        this.files = files;
    }

    /** Whether a file is open, or was to be when that failed. */
    boolean isOpen() {
        return opened != null;
    }

    /** Length of the file in its head, in bytes. */
    long fileLength() {
        return fileLength;
    }

    /** First sequence of the file's records. */
    long firstSequence() {
        return head.firstSequence();
    }

    /** Reads from a place in the file on. Returns how many bytes that were. */
    int read(final ByteBuffer to, final long position) throws IOException {
        final StoredFile present = file;
        if (present == null) {
            throw new IOException("journal: no file is open");
        }
        return present.read(to, position);
    }

    /** Opens the file that has a record. Returns where some of its records are. */
    SparseIndex open(final long sequence) throws IOException {
        final JournalFile holding = files.find(sequence);
        if (holding == null) {
            throw gone(sequence);
        }
        open(holding, sequence);
        return files.index(holding);
    }

    /** Opens the next file when the log goes on there. Returns false when it does not. */
    boolean openFollowing(final long nextSequence) throws IOException {
        final JournalFile starting = files.startingAt(nextSequence);
        if (starting != null && !starting.equals(opened)) {
            open(starting, nextSequence);
            return true;
        }
        if (following != null) {
            open(following, nextSequence);
            return true;
        }
        return false;
    }

    /** The file ends at a place: finds where the log goes on, and throws when that is nowhere. */
    void findFollowing(final long position, final long nextSequence, final String wrong) throws IOException {
        following = files.following(opened, nextSequence, head);
        if (following != null) {
            return;
        }
        if (nextSequence < files.firstSequence()) {
            throw gone(nextSequence);
        }
        final JournalFile present = opened;
        throw new JournalCorruptException(
                present == null ? "" : files.storage().path(present.name()), position, nextSequence, wrong);
    }

    @Override
    public void close() throws IOException {
        closeFile();
        head.free();
    }

    private void open(final JournalFile holding, final long wanted) throws IOException {
        closeFile();
        following = null;
        if (!holding.pin()) {
            throw gone(wanted);
        }
        opened = holding;
        final StoredFile present = openFile(holding, wanted);
        file = present;
        final String wrong = head.check(present.read(head.bytes(), 0), files.shard());
        if (wrong != null || head.firstSequence() != holding.firstSequence()) {
            throw new JournalCorruptException(
                    files.storage().path(holding.name()), 0, 0, wrong == null ? "another file's head" : wrong);
        }
        fileLength = head.fileLength();
    }

    private StoredFile openFile(final JournalFile holding, final long wanted) throws IOException {
        try {
            return files.storage().open(holding.name(), false);
        } catch (final NoSuchFileException e) {
            if (holding.firstSequence() < files.firstSequence()) {
                throw gone(wanted);
            }
            throw new JournalCorruptException(files.storage().path(holding.name()), 0, wanted, "the file is missing");
        }
    }

    private void closeFile() throws IOException {
        final StoredFile present = file;
        final JournalFile pinned = opened;
        file = null;
        opened = null;
        if (pinned != null) {
            pinned.unpin();
        }
        if (present != null) {
            present.close();
        }
    }

    private JournalGoneException gone(final long sequence) {
        return new JournalGoneException(files.shard(), sequence, files.firstSequence());
    }
}
