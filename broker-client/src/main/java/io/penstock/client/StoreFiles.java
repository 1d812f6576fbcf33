package io.penstock.client;

import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;

/**
 * The two files of a store, {@code path.0} and {@code path.1}, used in turn: when one is long enough and nothing in the
 * other is needed any more, that one is emptied and goes on. Confined to the thread whose turn it is.
 */
final class StoreFiles implements AutoCloseable {
    private final Path path;
    private StoreFile newest;
    private StoreFile other;

    private StoreFiles(final Path path, final StoreFile first, final StoreFile second) {
        this.path = path;
        newest = first;
        other = second;
    }

    /** Opens the files of a store that no other has open, and reads them in the order in which they were written. */
    static StoreFiles open(final Path path, final long magic, final StoreFile.RecordHandler handler) {
        final StoreFile first = StoreFile.open(path.resolveSibling(path.getFileName() + ".0"), magic);
        final StoreFile second;
        try {
            second = StoreFile.open(path.resolveSibling(path.getFileName() + ".1"), magic);
        } catch (final RuntimeException e) {
            first.close();
            throw e;
        }
        final StoreFiles files = new StoreFiles(path, first, second);
        try {
            files.lock();
            files.read(handler);
        } catch (final RuntimeException e) {
            files.close();
            throw e;
        }
        return files;
    }

    private void lock() {
        try {
            if (newest.channel().tryLock() != null) {
                return;
            }
        } catch (final OverlappingFileLockException e) {
            // Of this program.
        } catch (final IOException e) {
            throw StoreFile.failure(path, "cannot be locked", e);
        }
        throw new PenstockException(path + ": in use by another client (give each client a store of its own)", null);
    }

    private void read(final StoreFile.RecordHandler handler) {
        newest.readHead();
        other.readHead();
        if (other.generation() > newest.generation()) {
            swap();
        }
        if (other.generation() != 0) {
            other.read(false, handler);
        }
        if (newest.generation() == 0) {
            newest.begin(1);
        } else {
            newest.read(true, handler);
        }
    }

    private void swap() {
        final StoreFile former = newest;
        newest = other;
        other = former;
    }

    /** The file that is appended to. */
    StoreFile newest() {
        return newest;
    }

    /** Goes on in the other file, which is emptied. */
    void turn() {
        other.begin(newest.generation() + 1);
        swap();
    }

    @Override
    public void close() {
        newest.close();
        other.close();
    }
}
