package io.penstock.simulator;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** A directory of the simulated disk, for one run of a broker. After the run's end nothing is done, nor said. */
final class SimStorage implements Storage {
    private static final int LENGTH_AFTER_END = 64 * 1024;

    private final SimDisk disk;
    private final Life life;
    private final SimDisk.Directory directory;

    SimStorage(final SimDisk disk, final Life life, final SimDisk.Directory directory) {
        this.disk = disk;
        this.life = life;
        this.directory = directory;
    }

    @Override
    public List<String> list() {
        return life.isEnded() ? List.of() : List.copyOf(directory.entries.keySet());
    }

    @Override
    public boolean exists(final String name) {
        return !life.isEnded() && directory.entries.containsKey(name);
    }

    @Override
    public StoredFile create(final String name) throws IOException {
        final SimFile file = new SimFile();
        if (!life.isEnded()) {
            if (directory.entries.containsKey(name)) {
                throw new FileAlreadyExistsException(path(name));
            }
            disk.begin(life, () -> directory.put(name, file, null));
        }
        return new OpenFile(file);
    }

    @Override
    public StoredFile open(final String name, final boolean writable) throws IOException {
        return new OpenFile(life.isEnded() ? new SimFile() : find(name));
    }

    @Override
    public void rename(final String from, final String to) throws IOException {
        if (!life.isEnded()) {
            final SimFile file = find(from);
            disk.removeListener.onRemove(directory, from, file);
            disk.begin(life, () -> directory.put(to, file, from));
        }
    }

    @Override
    public void delete(final String name) throws IOException {
        if (!life.isEnded()) {
            disk.removeListener.onRemove(directory, name, find(name));
            disk.begin(life, () -> directory.remove(name));
        }
    }

    @Override
    public void sync() {
        if (!life.isEnded()) {
            disk.begin(life, directory::sync);
        }
    }

    @Override
    public Storage directory(final String name) {
        return disk.open(life, path(name));
    }

    @Override
    public Closeable lock() {
        return () -> {};
    }

    @Override
    public String path(final String name) {
        return directory.path + "/" + name;
    }

    private SimFile find(final String name) throws IOException {
        final SimFile file = directory.entries.get(name);
        if (file == null) {
            throw new NoSuchFileException(path(name));
        }
        return file;
    }

    private final class OpenFile implements StoredFile {
        private final SimFile file;

        private OpenFile(final SimFile file) {
            this.file = file;
        }

        @Override
        public long length() {
            return life.isEnded() ? LENGTH_AFTER_END : file.length();
        }

        @Override
        public void write(final ByteBuffer from, final long position) throws IOException {
            final byte[] bytes = new byte[from.remaining()];
            from.get(bytes);
            if (!life.isEnded() && bytes.length > 0) {
                disk.beginWrite(life, file, (int) position, bytes);
            }
        }

        @Override
        public int read(final ByteBuffer into, final long position) {
            if (life.isEnded() || position >= file.length()) {
                return 0;
            }
            final int length = Math.min(into.remaining(), file.length() - (int) position);
            into.put(file.bytes(), (int) position, length);
            return length;
        }

        @Override
        public void sync() throws IOException {
            if (!life.isEnded()) {
                disk.beginSync(life, file);
            }
        }

        @Override
        public void truncate(final long length) throws IOException {
            if (!life.isEnded()) {
                if (length > file.length()) {
                    throw new EOFException("truncate: to " + length + " of " + file.length() + " bytes");
                }
                disk.begin(life, () -> file.cut((int) length));
            }
        }

        @Override
        public void close() {}
    }
}
