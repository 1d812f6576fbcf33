package io.penstock.client.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A disk that fails on demand, and knows what it would have after a loss of power. */
final class FaultyDisk implements StoreDisk {
    private final List<String> events = new ArrayList<>();
    private final Map<Path, byte[]> synced = new HashMap<>();
    private final Set<Path> unsynced = new HashSet<>();
    private final Set<Path> withoutSync = new HashSet<>();
    private boolean hasDirectorySync = true;
    private long growthLimit = Long.MAX_VALUE;
    private String growthFailure = "No space left on device";
    private int failingWriteCount;
    private Runnable onChange = () -> {};

    /** No file gets longer than that, but for those that are. */
    void growthLimit(final long length) {
        growthLimit = length;
    }

    /** What the system says of a file that gets no longer. */
    void growthFailure(final String reason) {
        growthFailure = reason;
    }

    /** Lets so many writes fail after half of their bytes. */
    void failWrites(final int count) {
        failingWriteCount = count;
    }

    /** Lets the syncs of a file fail from now on, or no more. */
    void failSyncs(final Path file, final boolean isFailing) {
        if (isFailing) {
            withoutSync.add(file);
        } else {
            withoutSync.remove(file);
        }
    }

    /** Lets the syncs of directories fail from now on, or no more. */
    void failDirectorySyncs(final boolean isFailing) {
        hasDirectorySync = !isFailing;
    }

    /** Called after each thing that is done to a file. */
    void onChange(final Runnable handler) {
        onChange = handler;
    }

    /** What was opened, written and synced, in its order. */
    List<String> events() {
        return events;
    }

    /** Files that were changed since they were synced. */
    Set<Path> unsynced() {
        return unsynced;
    }

    /** What a file held when it was synced last. */
    byte[] synced(final Path file) {
        return synced.getOrDefault(file, new byte[0]);
    }

    @Override
    public FileChannel open(final Path file) throws IOException {
        events.add("open " + file.getFileName());
        final FileChannel channel = StoreDisk.SYSTEM.open(file);
        synced.putIfAbsent(file, Files.readAllBytes(file));
        return new Channel(file, channel);
    }

    @Override
    public void syncDirectory(final Path directory) throws IOException {
        if (!hasDirectorySync) {
            throw new IOException("Input/output error");
        }
        events.add("sync " + directory.getFileName());
        StoreDisk.SYSTEM.syncDirectory(directory);
    }

    private final class Channel extends FileChannel {
        private final Path file;
        private final FileChannel channel;

        private Channel(final Path file, final FileChannel channel) {
            this.file = file;
            this.channel = channel;
        }

        @Override
        public int write(final ByteBuffer source, final long position) throws IOException {
            final long end = Math.max(growthLimit, channel.size());
            if (position >= end) {
                throw new IOException(growthFailure);
            }
            final int limit = source.limit();
            if (failingWriteCount > 0) {
                failingWriteCount--;
                channel.write(source.limit(source.position() + source.remaining() / 2), position);
                changed("write");
                throw new IOException("Input/output error");
            }
            source.limit((int) Math.min(limit, source.position() + end - position));
            final int count = channel.write(source, position);
            source.limit(limit);
            changed("write");
            return count;
        }

        @Override
        public FileChannel truncate(final long size) throws IOException {
            channel.truncate(size);
            changed("cut");
            return this;
        }

        private void changed(final String what) {
            events.add(what + " " + file.getFileName());
            unsynced.add(file);
            onChange.run();
        }

        @Override
        public void force(final boolean isMetadata) throws IOException {
            if (withoutSync.contains(file)) {
                throw new IOException("Input/output error");
            }
            channel.force(isMetadata);
            events.add("sync " + file.getFileName());
            unsynced.remove(file);
            synced.put(file, Files.readAllBytes(file));
            onChange.run();
        }

        @Override
        public int read(final ByteBuffer target, final long position) throws IOException {
            return channel.read(target, position);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public FileLock tryLock(final long position, final long size, final boolean isShared) throws IOException {
            return channel.tryLock(position, size, isShared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            channel.close();
        }

        @Override
        public int read(final ByteBuffer target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(final ByteBuffer[] targets, final int offset, final int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(final ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(final ByteBuffer[] sources, final int offset, final int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(final long newPosition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(final long position, final long count, final WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(final ReadableByteChannel source, final long position, final long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(final MapMode mode, final long position, final long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(final long position, final long size, final boolean isShared) {
            throw new UnsupportedOperationException();
        }
    }
}
