package io.penstock.broker.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.TreeSet;

/**
 * A directory and its archive, to be read as one: a file is in the first, or else in the second. Files may be moved from
 * the first to the second meanwhile. Nothing can be changed through it.
 */
public final class StorageUnion implements Storage {
    private final Storage first;
    private final Storage second;

    /**
     * Puts two directories together.
     *
     * @param first  where a file is looked for first.
     * @param second where it is looked for then.
     */
    public StorageUnion(final Storage first, final Storage second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public List<String> list() throws IOException {
        // Listed in this order, so that a file that is moved meanwhile is not missed.
        final TreeSet<String> names = new TreeSet<>(first.list());
        names.addAll(second.list());
        return List.copyOf(names);
    }

    @Override
    public boolean exists(final String name) throws IOException {
        return first.exists(name) || second.exists(name);
    }

    @Override
    public StoredFile open(final String name, final boolean writable) throws IOException {
        if (writable) {
            throw readOnly();
        }
        try {
            return first.open(name, false);
        } catch (final NoSuchFileException e) {
            return second.open(name, false);
        }
    }

    @Override
    public void prefetch(final String name) {
        first.prefetch(name);
    }

    @Override
    public StoredFile create(final String name) {
        throw readOnly();
    }

    @Override
    public void rename(final String from, final String to) {
        throw readOnly();
    }

    @Override
    public void delete(final String name) {
        throw readOnly();
    }

    @Override
    public void sync() {
        throw readOnly();
    }

    @Override
    public Storage directory(final String name) {
        throw readOnly();
    }

    @Override
    public Closeable lock() {
        throw readOnly();
    }

    @Override
    public String path(final String name) {
        return first.path(name);
    }

    private static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("storage: a directory and its archive can only be read as one");
    }
}
