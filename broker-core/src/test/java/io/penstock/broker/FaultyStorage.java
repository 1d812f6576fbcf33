package io.penstock.broker;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A directory whose disk fails when a test says so. */
final class FaultyStorage implements Storage {
    private final Storage disk;
    private final Faults faults;

    /** What fails at the moment. */
    static final class Faults {
        boolean areWritesFailing;
        boolean areSyncsFailing;
    }

    FaultyStorage(final Storage disk, final Faults faults) {
        this.disk = disk;
        this.faults = faults;
    }

    private final class FaultyFile implements StoredFile {
        private final StoredFile file;

        private FaultyFile(final StoredFile file) {
            this.file = file;
        }

        @Override
        public long length() throws IOException {
            return file.length();
        }

        /** Half of it is written when it fails. */
        @Override
        public void write(final ByteBuffer from, final long position) throws IOException {
            if (faults.areWritesFailing) {
                file.write(from.limit(from.position() + from.remaining() / 2), position);
                throw new IOException("No space left on device");
            }
            file.write(from, position);
        }

        @Override
        public int read(final ByteBuffer into, final long position) throws IOException {
            return file.read(into, position);
        }

        @Override
        public void sync() throws IOException {
            if (faults.areSyncsFailing) {
                throw new IOException("sync: input/output error");
            }
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

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public boolean exists(final String name) throws IOException {
        return disk.exists(name);
    }

    @Override
    public StoredFile create(final String name) throws IOException {
        return new FaultyFile(disk.create(name));
    }

    @Override
    public StoredFile open(final String name, final boolean writable) throws IOException {
        return new FaultyFile(disk.open(name, writable));
    }

    @Override
    public void rename(final String from, final String to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(final String name) throws IOException {
        disk.delete(name);
    }

    @Override
    public void sync() throws IOException {
        disk.sync();
    }

    @Override
    public Storage directory(final String name) throws IOException {
        return new FaultyStorage(disk.directory(name), faults);
    }

    @Override
    public Closeable lock() throws IOException {
        return disk.lock();
    }

    @Override
    public String path(final String name) {
        return disk.path(name);
    }
}
