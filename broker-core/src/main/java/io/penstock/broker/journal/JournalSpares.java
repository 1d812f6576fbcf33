package io.penstock.broker.journal;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A file made ahead of its need: of full length, written once with zeros and synced, so that later syncs have no blocks
 * to allocate. Made by the keeper, taken by the journaler.
 */
public final class JournalSpares {
    static final String NAME = "spare.tmp";

    private static final int PIECE_LENGTH = 1024 * 1024;

    private final Storage storage;
    private final long fileLength;
    private final AtomicReference<@Nullable StoredFile> ready = new AtomicReference<>();
    private final AtomicReference<@Nullable String> problem = new AtomicReference<>();

    /**
     * Starts with none.
     *
     * @param storage    the shard's directory.
     * @param fileLength of files, in bytes.
     */
    public JournalSpares(final Storage storage, final long fileLength) {
        this.storage = storage;
        this.fileLength = fileLength;
    }

    /**
     * Makes a file if there is none. Called by the keeper.
     *
     * @return true when one was made.
     */
    public boolean prepare() {
        if (ready.get() != null) {
            return false;
        }
        try {
            if (storage.list().contains(NAME)) {
                storage.delete(NAME);
            }
            ready.set(make());
            problem.set(null);
            return true;
        } catch (final IOException e) {
            problem.set("cannot make another journal file: " + storage.path(NAME) + ": " + e.getMessage());
            return false;
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

    /** Takes the file, or null. Its name is {@link #NAME} until the taker gives it another. */
    @Nullable
    StoredFile take() {
        return ready.getAndSet(null);
    }

    /** Closes the file that nobody has taken. */
    void close() throws IOException {
        final StoredFile file = take();
        if (file != null) {
            file.close();
        }
    }

    private StoredFile make() throws IOException {
        final StoredFile file = storage.create(NAME);
        final AlignedBuffer zeros = new AlignedBuffer((int) Math.min(PIECE_LENGTH, fileLength));
        zeros.buffer().setMemory(0, zeros.capacity(), (byte) 0);
        boolean made = false;
        try {
            for (long position = 0; position < fileLength; position += zeros.capacity()) {
                final int length = (int) Math.min(zeros.capacity(), fileLength - position);
                file.write(zeros.bytes().clear().limit(length), position);
            }
            file.sync();
            made = true;
            return file;
        } finally {
            zeros.free();
            if (!made) {
                discard(file);
            }
        }
    }

    /** Gives back what a file took that could not be made whole. */
    private void discard(final StoredFile file) throws IOException {
        try (file) {
            file.truncate(0);
        }
        storage.delete(NAME);
    }
}
