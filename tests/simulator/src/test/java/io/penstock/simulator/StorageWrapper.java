package io.penstock.simulator;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;

/** A directory whose files are wrapped. Passes all calls on, except overridden ones. */
class StorageWrapper implements Storage {
    private final Storage storage;
    private final BiFunction<String, StoredFile, StoredFile> wrapFile;

    StorageWrapper(final Storage storage, final BiFunction<String, StoredFile, StoredFile> wrapFile) {
        this.storage = storage;
        this.wrapFile = wrapFile;
    }

    /** Wraps a directory in this one likewise. */
    Storage wrap(final Storage directory) {
        return new StorageWrapper(directory, wrapFile);
    }

    @Override
    public List<String> list() throws IOException {
        return storage.list();
    }

    @Override
    public boolean exists(final String name) throws IOException {
        return storage.exists(name);
    }

    @Override
    public StoredFile create(final String name) throws IOException {
        return wrapFile.apply(name, storage.create(name));
    }

    @Override
    public StoredFile open(final String name, final boolean writable) throws IOException {
        return wrapFile.apply(name, storage.open(name, writable));
    }

    @Override
    public void rename(final String from, final String to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void delete(final String name) throws IOException {
        storage.delete(name);
    }

    @Override
    public void sync() throws IOException {
        storage.sync();
    }

    @Override
    public Storage directory(final String name) throws IOException {
        return wrap(storage.directory(name));
    }

    @Override
    public Closeable lock() throws IOException {
        return storage.lock();
    }

    @Override
    public String path(final String name) {
        return storage.path(name);
    }

    /** A file that passes all calls to another one, except overridden ones. */
    static class FileWrapper implements StoredFile {
        final StoredFile file;

        FileWrapper(final StoredFile file) {
            this.file = file;
        }

        @Override
        public long length() throws IOException {
            return file.length();
        }

        @Override
        public void write(final ByteBuffer from, final long position) throws IOException {
            file.write(from, position);
        }

        @Override
        public int read(final ByteBuffer into, final long position) throws IOException {
            return file.read(into, position);
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }

        @Override
        public void truncate(final long length) throws IOException {
            file.truncate(length);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
