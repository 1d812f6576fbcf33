package io.penstock.client.store;

import io.penstock.client.PenstockException;
import io.penstock.client.PublishStore;
import io.penstock.client.warning.ClientLog;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps messages in memory and in two files. Each record says up to which sequence messages were discarded when it was
 * written; such a record stands alone when everything was discarded and nobody is about to write.
 */
final class FilePublishStore implements PublishStore {
    private static final long MAGIC = 0x4255504B434F5450L;
    private static final int TYPE_MESSAGE = 1;
    private static final int TYPE_REMOVED = 2;
    private static final int TYPE_RELEASED = 3;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final ReentrantLock lock = new ReentrantLock();
    private final MemoryPublishStore memory;
    private final Sync sync;
    private final StoreFiles files;
    private volatile long released;

    /** The last message of the file that is not appended to; nothing of it is needed once that is released. */
    private long otherLastSequence;

    private long newestLastSequence;
    private boolean isClosed;

    private FilePublishStore(
            final MemoryPublishStore memory,
            final Sync sync,
            final StoreFiles files,
            final long released,
            final long lastSequence) {
        this.memory = memory;
        this.sync = sync;
        this.files = files;
        this.released = released;
        // The file of each message is not known any more, so both count as having all.
        otherLastSequence = lastSequence;
        newestLastSequence = lastSequence;
    }

    static FilePublishStore open(final Path path, final int limit, final int length, final Sync sync) {
        final Found found = new Found();
        // Read twice: only at the end it is known what was discarded.
        StoreFiles.open(path, MAGIC, sync == Sync.EACH, StoreDisk.SYSTEM, found).close();
        final MemoryPublishStore memory = new MemoryPublishStore(limit, length);
        try {
            final StoreFiles files = StoreFiles.open(
                    path,
                    MAGIC,
                    sync == Sync.EACH,
                    StoreDisk.SYSTEM,
                    (type, sequence, released, text, offset, textLength) -> {
                        if (type == TYPE_MESSAGE
                                && found.isKept(sequence)
                                && !memory.append(sequence, text, offset, textLength)) {
                            throw new PenstockException(
                                    path + ": holds more than " + limit + " messages or " + length
                                            + " bytes (open it with larger bounds)",
                                    null);
                        }
                        return null;
                    });
            memory.lastSequence(found.lastSequence);
            return new FilePublishStore(memory, sync, files, found.released, found.lastSequence);
        } catch (final RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    /** The content of the files. */
    private static final class Found implements StoreFile.RecordHandler {
        private final LongHashSet removed = new LongHashSet();
        private long lastSequence;
        private long released;

        @Override
        public @Nullable String onRecord(
                final int type,
                final long sequence,
                final long newReleased,
                final UnsafeBuffer text,
                final int offset,
                final int length) {
            if (newReleased < released) {
                return "its record says that less was discarded than before: " + newReleased;
            }
            released = newReleased;
            switch (type) {
                case TYPE_MESSAGE -> {
                    if (sequence <= lastSequence) {
                        return "its record has a sequence that does not rise: " + sequence;
                    }
                    lastSequence = sequence;
                }
                case TYPE_REMOVED -> removed.add(sequence);
                case TYPE_RELEASED -> lastSequence = Math.max(lastSequence, sequence);
                default -> {
                    return "its record is of an unknown type: " + type;
                }
            }
            return null;
        }

        boolean isKept(final long sequence) {
            return sequence > released && !removed.contains(sequence);
        }
    }

    @Override
    public long lastSequence() {
        return memory.lastSequence();
    }

    @Override
    public int limit() {
        return memory.limit();
    }

    @Override
    public boolean append(final long sequence, final DirectBuffer frame, final int offset, final int length) {
        if (!memory.hasRoom(length)) {
            return false;
        }
        lock.lock();
        try {
            write(TYPE_MESSAGE, sequence, frame, offset, length);
            newestLastSequence = sequence;
        } finally {
            lock.unlock();
        }
        return memory.append(sequence, frame, offset, length);
    }

    private void write(
            final int type, final long sequence, final DirectBuffer text, final int offset, final int length) {
        final boolean isLong = files.newest().length() > memory.capacity();
        if (isLong && released >= otherLastSequence) {
            files.turn();
            otherLastSequence = newestLastSequence;
        }
        files.append(type, sequence, released, text, offset, length);
        if (sync == Sync.EACH) {
            files.newest().sync();
        }
    }

    @Override
    public boolean read(final long fromSequence, final Reader reader) {
        return memory.read(fromSequence, reader);
    }

    @Override
    public void discard(final long sequence) {
        memory.discard(sequence);
        released = Math.max(released, sequence);
        if (memory.isEmpty() && lock.tryLock()) {
            try {
                writeReleased();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void remove(final long sequence) {
        memory.remove(sequence);
        lock.lock();
        try {
            write(TYPE_REMOVED, sequence, EMPTY, 0, 0);
        } catch (final PenstockException e) {
            ClientLog.warn("a refused message stays in the publish store", e);
        } finally {
            lock.unlock();
        }
    }

    private void writeReleased() {
        try {
            write(TYPE_RELEASED, memory.lastSequence(), EMPTY, 0, 0);
        } catch (final PenstockException e) {
            ClientLog.warn("messages that the broker has stay in the publish store", e);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!isClosed) {
                isClosed = true;
                writeReleased();
                files.close();
                memory.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
