package io.penstock.client.store;

import io.penstock.client.PenstockException;
import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * The two files of a store, {@code path.0} and {@code path.1}, used in turn: when one is long enough and nothing in the
 * other is needed any more, that one is emptied and goes on. Each says in its head what the other is, so that it is
 * noticed when one is not there. Confined to the thread whose turn it is.
 */
final class StoreFiles implements AutoCloseable {
    private final Path path;
    private final StoreDisk disk;
    private StoreFile newest;
    private StoreFile other;

    private StoreFiles(final Path path, final StoreDisk disk, final StoreFile first, final StoreFile second) {
        this.path = path;
        this.disk = disk;
        newest = first;
        other = second;
    }

    /**
     * Opens the files of a store that no other has open, and reads them in the order in which they were written.
     *
     * @param isSynced whether each record was on stable storage before the next one was written.
     */
    static StoreFiles open(
            final Path path,
            final long magic,
            final boolean isSynced,
            final StoreDisk disk,
            final StoreFile.RecordHandler handler) {
        final StoreFile first = StoreFile.open(path.resolveSibling(path.getFileName() + ".0"), magic, disk);
        final StoreFile second;
        try {
            second = StoreFile.open(path.resolveSibling(path.getFileName() + ".1"), magic, disk);
        } catch (final RuntimeException e) {
            first.close();
            throw e;
        }
        final StoreFiles files = new StoreFiles(path, disk, first, second);
        try {
            files.lock();
            files.read(isSynced, handler);
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
            // Locked by this program.
        } catch (final IOException e) {
            throw StoreFailures.failure(path, "cannot be locked", e);
        }
        throw new PenstockException(path + ": in use by another client (give each client a store of its own)", null);
    }

    private void read(final boolean isSynced, final StoreFile.RecordHandler handler) {
        newest.readHead();
        other.readHead();
        if (other.generation() > newest.generation()) {
            swap();
        }
        if (!newest.isBegun()) {
            newest.begin(1, newId(), StoreFileHead.OTHER_ANY);
        } else {
            checkBoth();
            if (isBefore()) {
                other.read(false, isSynced, handler);
            }
            newest.read(true, isSynced, handler);
        }
        link();
    }

    private boolean isBefore() {
        return other.isBegun() && other.generation() == newest.generation() - 1;
    }

    /** Refuses a file without the other one. */
    private void checkBoth() {
        if (newest.other() == StoreFileHead.OTHER_AFTER) {
            throw other.missing("the newer file of the store is missing, or is empty");
        }
        if (newest.other() == StoreFileHead.OTHER_BEFORE && !isBefore()) {
            throw other.missing("the older file of the store is missing, or is not what it was");
        }
        if (other.isBegun() && !isBefore()) {
            throw other.missing("is not what it was: its generation is " + other.generation() + ", and "
                    + newest.generation() + " that of " + newest.path());
        }
        if (other.isBegun() && other.id() != 0 && newest.id() != 0 && other.id() != newest.id()) {
            throw other.missing("is of another store than " + newest.path());
        }
    }

    /** Lets each file say what the other is, before anything is appended. */
    private void link() {
        final boolean isLinked =
                newest.other() == StoreFileHead.OTHER_BEFORE && other.other() == StoreFileHead.OTHER_AFTER;
        if (isLinked) {
            return;
        }
        syncDirectory();
        final int id = newest.id() != 0 ? newest.id() : other.id() != 0 ? other.id() : newId();
        if (!isBefore()) {
            other.begin(newest.generation() - 1, id, StoreFileHead.OTHER_AFTER);
        } else if (other.id() == 0) {
            other.renew(id, StoreFileHead.OTHER_AFTER);
        } else {
            other.note(StoreFileHead.OTHER_AFTER);
        }
        if (newest.id() == 0) {
            newest.renew(id, StoreFileHead.OTHER_BEFORE);
        } else {
            newest.note(StoreFileHead.OTHER_BEFORE);
        }
    }

    /** Before a file says that there is another: so none is missing that was made. */
    private void syncDirectory() {
        final Path directory = Objects.requireNonNull(path.toAbsolutePath().getParent());
        try {
            disk.syncDirectory(directory);
        } catch (final IOException e) {
            throw StoreFailures.failure(directory, "cannot be synced", e, "see that its disk is good");
        }
    }

    /** Not 0. */
    private static int newId() {
        return new SecureRandom().nextInt() >>> 4 | 1;
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

    /** Appends a record to the newest file. What was written of one that failed is cleared again. */
    void append(
            final int type,
            final long sequence,
            final long released,
            final DirectBuffer text,
            final int offset,
            final int textLength) {
        // The other one may be the newest on the disk, when a turn has failed.
        other.checkWorks();
        newest.append(type, sequence, released, text, offset, textLength);
    }

    /** Goes on in the other file, which is emptied. When that fails, the newest file is the same as before. */
    void turn() {
        newest.checkWorks();
        other.checkWorks();
        newest.note(StoreFileHead.OTHER_ANY);
        newest.sync();
        other.begin(newest.generation() + 1, newest.id(), StoreFileHead.OTHER_BEFORE);
        newest.note(StoreFileHead.OTHER_AFTER);
        swap();
    }

    @Override
    public void close() {
        newest.close();
        other.close();
    }
}
