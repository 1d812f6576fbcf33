package io.penstock.broker.journal;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A file made ahead of its need: of full length, written once with zeros and synced, so that later syncs have no blocks
 * to allocate. Made by the keeper, taken by the journaler.
 */
public final class JournalSpares implements Closeable {
    private static final String PREFIX = "spare-";
    private static final String SUFFIX = ".tmp";

    private static final int PIECE_LENGTH = 1024 * 1024;

    private final Storage storage;
    private final long fileLength;
    private final boolean direct;
    private final Runnable onTaken;
    private final AtomicReference<@Nullable Spare> ready = new AtomicReference<>();
    private final AtomicReference<@Nullable String> problem = new AtomicReference<>();

    /** Number of the next spare file: the one before may still have its name when the next is made. */
    private long number;

    /**
     * Starts with none.
     *
     * @param storage    the shard's directory.
     * @param fileLength of files, in bytes.
     * @param direct     whether files are written past the system's cache, if they can be.
     * @param onTaken    wakes the keeper.
     */
    public JournalSpares(final Storage storage, final long fileLength, final boolean direct, final Runnable onTaken) {
        this.storage = storage;
        this.fileLength = fileLength;
        this.direct = direct;
        this.onTaken = onTaken;
    }

    /** Length of new files, in bytes. */
    long fileLength() {
        return fileLength;
    }

    /**
     * Makes a file if there is none. Called by the keeper.
     *
     * @return true when one was made.
     */
    public boolean prepare() {
        return prepare(fileLength);
    }

    /**
     * Makes a file of a length of its own, as {@link #prepare()} does.
     *
     * @param length in bytes, a multiple of 4096.
     * @return true when one was made.
     */
    public boolean prepare(final long length) {
        if (ready.get() != null) {
            return false;
        }
        try {
            deleteLeftOvers();
            ready.set(make(PREFIX + ++number + SUFFIX, length));
            problem.set(null);
            return true;
        } catch (final IOException e) {
            problem.set("cannot make another journal file: " + storage.path(PREFIX + number + SUFFIX) + ": "
                    + e.getMessage());
            return false;
        }
    }

    /**
     * Makes a file of the log that is not wanted any more the next one, if there is none, its length is right, and it is
     * not another file as well. No reader has it open. Called by the keeper.
     *
     * @param of name of the file.
     * @return false when the file is still to be deleted.
     * @throws IOException when the disk fails.
     */
    boolean recycle(final String of) throws IOException {
        if (ready.get() != null) {
            return false;
        }
        final StoredFile file = open(of);
        String name = null;
        boolean taken = false;
        try {
            if (file.length() == fileLength) {
                deleteLeftOvers();
                name = PREFIX + ++number + SUFFIX;
                storage.rename(of, name);
                // Whoever links it from now on does not find it: one that was linked before is not written to.
                if (storage.isShared(name)) {
                    taken = true;
                    try (file) {
                        storage.delete(name);
                    }
                    return true;
                }
                storage.sync();
                clear(file, fileLength);
                ready.set(new Spare(name, file, true));
                problem.set(null);
                taken = true;
            }
            return taken;
        } finally {
            if (!taken) {
                giveUp(name, file);
            }
        }
    }

    /** A file that has the name of a spare, and is none, is nobody's. */
    private void giveUp(final @Nullable String name, final StoredFile file) throws IOException {
        if (name != null && storage.exists(name)) {
            discard(name, file);
        } else {
            file.close();
        }
    }

    /**
     * Why there is none.
     *
     * @return what went wrong at the last attempt, or null.
     */
    public @Nullable String problem() {
        return problem.get();
    }

    /** Whether a file waits to be taken. */
    boolean isReady() {
        return ready.get() != null;
    }

    /** Takes the file, or null. */
    @Nullable
    Spare take() {
        final Spare spare = ready.getAndSet(null);
        onTaken.run();
        return spare;
    }

    /** Opens a file of the log to be written on, as those that are made here. */
    StoredFile open(final String name) throws IOException {
        return direct ? storage.openDirect(name) : storage.open(name, true);
    }

    /**
     * Closes the file that nobody has taken. Idempotent.
     *
     * @throws IOException when that fails.
     */
    @Override
    public void close() throws IOException {
        final Spare spare = ready.getAndSet(null);
        if (spare != null) {
            spare.file.close();
        }
    }

    /** Deletes unused files of an earlier run, before the first of this run, which may have the same name. */
    private void deleteLeftOvers() throws IOException {
        if (number > 0) {
            return;
        }
        for (final String name : storage.list()) {
            if (name.startsWith(PREFIX) && name.endsWith(SUFFIX)) {
                storage.delete(name);
            }
        }
    }

    private Spare make(final String name, final long length) throws IOException {
        final StoredFile file = direct ? storage.createDirect(name) : storage.create(name);
        boolean made = false;
        try {
            clear(file, length);
            made = true;
            return new Spare(name, file, false);
        } finally {
            if (!made) {
                discard(name, file);
            }
        }
    }

    /** Fills a file with zeros: they show which parts an unfinished write has left out. */
    private static void clear(final StoredFile file, final long fileLength) throws IOException {
        final AlignedBuffer zeros = new AlignedBuffer((int) Math.min(PIECE_LENGTH, fileLength));
        zeros.buffer().setMemory(0, zeros.capacity(), (byte) 0);
        try {
            for (long position = 0; position < fileLength; position += zeros.capacity()) {
                final int length = (int) Math.min(zeros.capacity(), fileLength - position);
                file.write(zeros.bytes().clear().limit(length), position);
            }
            file.sync();
        } finally {
            zeros.free();
        }
    }

    /** Gives back what a file took that could not be made whole. */
    private void discard(final String name, final StoredFile file) throws IOException {
        // Whatever fails, the name is to go: a file of a log's length takes the room that the next one needs.
        try (file) {
            file.truncate(0);
        } finally {
            storage.delete(name);
        }
    }

    /**
     * A file that is ready.
     *
     * @param name of it, until its taker gives it another.
     * @param file open and writable.
     * @param recycled whether it was another one before.
     */
    record Spare(String name, StoredFile file, boolean recycled) {}
}
