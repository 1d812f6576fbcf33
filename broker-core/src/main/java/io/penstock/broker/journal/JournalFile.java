package io.penstock.broker.journal;

import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One file of a shard's log, named after its first record. Any thread. */
final class JournalFile {
    private static final String SUFFIX = ".log";
    private static final String INDEX_SUFFIX = ".idx";
    private static final int DIGITS = 19;
    private static final int GONE = -1;

    private final long firstSequence;
    private final SparseIndex index;

    /** Whether the index has all that was written, or is still to be read or made. */
    private final AtomicBoolean isIndexed;

    private final AtomicBoolean isIndexStored = new AtomicBoolean();

    /** Readers that have it open; {@link #GONE} when it is no part of the log any more. */
    private final AtomicInteger readers = new AtomicInteger();

    /**
     * @param index   of its records.
     * @param indexed whether that index is kept up to date from the first record on.
     */
    JournalFile(final long firstSequence, final SparseIndex index, final boolean indexed) {
        this.firstSequence = firstSequence;
        this.index = index;
        isIndexed = new AtomicBoolean(indexed);
    }

    /** The sequence of its first record. */
    long firstSequence() {
        return firstSequence;
    }

    /** Where its records are, in steps; without entries when it is not {@link #isIndexed}. */
    SparseIndex index() {
        return index;
    }

    boolean isIndexed() {
        return isIndexed.get();
    }

    void setIndexed() {
        isIndexed.set(true);
    }

    /** Whether a file with the index is there, good or not. */
    boolean isIndexStored() {
        return isIndexStored.get();
    }

    void setIndexStored(final boolean stored) {
        isIndexStored.set(stored);
    }

    /** Before a reader opens it. Returns false when it is no part of the log any more. */
    boolean pin() {
        int present = readers.get();
        while (present != GONE && !readers.compareAndSet(present, present + 1)) {
            present = readers.get();
        }
        return present != GONE;
    }

    /** After a reader has closed it. */
    void unpin() {
        readers.getAndUpdate(present -> present == GONE ? GONE : present - 1);
    }

    /** No reader opens it any more. Returns whether none has it open, so that its bytes may change. */
    boolean retire() {
        return readers.getAndSet(GONE) == 0;
    }

    String name() {
        return name(firstSequence);
    }

    String indexName() {
        return digits(firstSequence) + INDEX_SUFFIX;
    }

    /**
     * Reads its head.
     *
     * @return how long the file is, in bytes.
     * @throws JournalCorruptException when that is none of this file.
     */
    long readHead(final JournalFiles files, final JournalHead head) throws IOException {
        try (StoredFile file = files.storage().open(name(), false)) {
            final String wrong = checkHead(head, file.read(head.bytes(), 0), files);
            if (wrong != null) {
                throw new JournalCorruptException(files.storage().path(name()), 0, 0, wrong);
            }
            return file.length();
        }
    }

    /** Checks a head that was read. Returns what is wrong with it, or null. */
    @Nullable
    String checkHead(final JournalHead head, final int length, final JournalFiles files) {
        final String wrong = head.check(length, files.shard(), files.logId());
        if (wrong != null) {
            return wrong;
        }
        return head.firstSequence() == firstSequence
                ? null
                : "its head says that it begins with record " + head.firstSequence();
    }

    /** The name of the file whose first record has a sequence. */
    static String name(final long firstSequence) {
        return digits(firstSequence) + SUFFIX;
    }

    private static String digits(final long firstSequence) {
        final String digits = Long.toString(firstSequence);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** The sequence in a name, or 0 when it is no journal file's. */
    static long firstSequence(final String name) throws IOException {
        return sequence(name, SUFFIX);
    }

    /** The sequence in a name, or 0 when it is no index's. */
    static long indexedSequence(final String name) throws IOException {
        return sequence(name, INDEX_SUFFIX);
    }

    private static long sequence(final String name, final String suffix) throws IOException {
        if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
            return 0;
        }
        final String digits = name.substring(0, DIGITS);
        for (int i = 0; i < DIGITS; i++) {
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                return 0;
            }
        }
        try {
            return Long.parseLong(digits);
        } catch (final NumberFormatException e) {
            throw new IOException("journal: sequence out of range in a file's name: " + name, e);
        }
    }
}
