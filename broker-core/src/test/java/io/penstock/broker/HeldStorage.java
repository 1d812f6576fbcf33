package io.penstock.broker;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;

/** A directory whose files are written and synced when the test lets them. */
final class HeldStorage implements Storage {
    private final Storage disk;
    private final Gate gate;

    HeldStorage(final Storage disk, final Gate gate) {
        this.disk = disk;
        this.gate = gate;
    }

    /** Lets syncs pass, holds them up or fails them. */
    static final class Gate {
        private final Semaphore held = new Semaphore(1);
        private volatile boolean isFailing;
        private volatile boolean areWritesFailing;

        /** Syncs wait from now on. */
        void hold() {
            held.acquireUninterruptibly();
        }

        /** Lets those that wait pass, and later ones. */
        void release() {
            held.release();
        }

        /** Syncs fail from now on. */
        void fail() {
            isFailing = true;
        }

        /** Writes fail from now on. */
        void failWrites() {
            areWritesFailing = true;
        }

        private void passWrite() throws IOException {
            if (areWritesFailing) {
                throw new IOException("write: input/output error");
            }
        }

        private void pass() throws IOException {
            held.acquireUninterruptibly();
            held.release();
            if (isFailing) {
                throw new IOException("sync: input/output error");
            }
        }
    }

    private StoredFile wrap(final StoredFile file) {
        return new StoredFile() {
            @Override
            public long length() throws IOException {
                return file.length();
            }

            @Override
            public void write(final ByteBuffer from, final long position) throws IOException {
                gate.passWrite();
                file.write(from, position);
            }

            @Override
            public int read(final ByteBuffer into, final long position) throws IOException {
                return file.read(into, position);
            }

            @Override
            public void sync() throws IOException {
                gate.pass();
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
        return wrap(disk.create(name));
    }

    @Override
    public StoredFile open(final String name, final boolean writable) throws IOException {
        return wrap(disk.open(name, writable));
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
        return new HeldStorage(disk.directory(name), gate);
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
