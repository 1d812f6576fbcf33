package io.penstock.broker.sink;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory that notes what is done to its files, and fails a write half way on demand. */
final class WatchedStorage implements Storage {
    /** What was done, in its order, for example {@code write events.dat.blocks}. */
    final List<String> done = new ArrayList<>();

    private final Storage disk;
    private @Nullable String failing;
    private Step afterEach = () -> {};

    /** What a test does after each change. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    WatchedStorage(final Storage disk) {
        this.disk = disk;
    }

    /** The next write to a file does half of it and fails. */
    void failNextWrite(final String name) {
        failing = name;
    }

    /** Is called after each change to a file from now on. */
    void afterEach(final Step step) {
        afterEach = step;
    }

    private void note(final String what) throws IOException {
        done.add(what);
        afterEach.run();
    }

    private StoredFile watch(final String name, final StoredFile file) {
        return new StoredFile() {
            @Override
            public long length() throws IOException {
                return file.length();
            }

            @Override
            public void write(final ByteBuffer from, final long position) throws IOException {
                if (name.equals(failing)) {
                    failing = null;
                    file.write(from.limit(from.position() + from.remaining() / 2), position);
                    throw new IOException("No space left on device");
                }
                file.write(from, position);
                note("write " + name);
            }

            @Override
            public int read(final ByteBuffer into, final long position) throws IOException {
                return file.read(into, position);
            }

            @Override
            public void sync() throws IOException {
                file.sync();
                note("sync " + name);
            }

            @Override
            public void truncate(final long length) throws IOException {
                file.truncate(length);
                note("truncate " + name);
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
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
        return watch(name, disk.create(name));
    }

    @Override
    public StoredFile open(final String name, final boolean writable) throws IOException {
        return watch(name, disk.open(name, writable));
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
        return disk.directory(name);
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
