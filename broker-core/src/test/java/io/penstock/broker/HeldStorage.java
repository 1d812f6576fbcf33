package io.penstock.broker;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A directory whose files are made, written and synced when the test lets them. */
final class HeldStorage implements Storage {
    private final Storage disk;
    private final Gate gate;

    HeldStorage(final Storage disk, final Gate gate) {
        this.disk = disk;
        this.gate = gate;
    }

    /** Lets what is done pass, holds syncs up or makes it fail. */
    static final class Gate {
        private final Semaphore held = new Semaphore(1);
        private volatile boolean isFailing;
        private volatile @Nullable String writeError;
        private volatile boolean isUncut;
        private volatile Predicate<String> refused = name -> false;

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

        /** Writes fail from now on; half of each is done. */
        void failWrites() {
            writeError = "write: input/output error";
        }

        /** Files cannot be cut from now on. */
        void failCuts() {
            isUncut = true;
        }

        /** The same, because the disk is full. */
        void fill() {
            writeError = "No space left on device";
        }

        boolean isFull() {
            return writeError != null;
        }

        /** Files of some names cannot be made from now on. */
        void refuse(final Predicate<String> names) {
            refused = names;
        }

        /** Nothing fails any more. */
        void mend() {
            isFailing = false;
            writeError = null;
            refused = name -> false;
        }

        private void write(final StoredFile file, final ByteBuffer from, final long position) throws IOException {
            final String error = writeError;
            if (error != null) {
                file.write(from.limit(from.position() + from.remaining() / 2), position);
                throw new IOException(error);
            }
            file.write(from, position);
        }

        private void passCreation(final String name) throws IOException {
            if (refused.test(name)) {
                throw new IOException("No space left on device");
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
                gate.write(file, from, position);
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
                if (gate.isUncut) {
                    throw new IOException("truncate: input/output error");
                }
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
        gate.passCreation(name);
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
