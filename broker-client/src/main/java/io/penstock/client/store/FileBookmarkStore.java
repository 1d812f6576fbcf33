package io.penstock.client.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.client.Bookmark;
import io.penstock.client.BookmarkStore;
import io.penstock.protocol.BookmarkText;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps bookmarks in memory and in two files, whose records each hold the whole bookmark of one name, or say that one is
 * forgotten. Threads take turns.
 */
final class FileBookmarkStore implements BookmarkStore {
    private static final long MAGIC = 0x4B4D424B434F5450L;
    private static final int TYPE_BOOKMARK = 1;
    private static final int TYPE_FORGOTTEN = 2;
    private static final int FILE_LENGTH = 1024 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final MemoryBookmarkStore memory;
    private final StoreFiles files;
    private final int batch;
    private final Set<String> changed = new LinkedHashSet<>();
    private @Nullable String lastChanged;
    private int noteCount;

    /** Whether the newest file has the bookmarks of all names; not known of one that was opened. */
    private boolean isNewestComplete;

    private boolean isClosed;

    private FileBookmarkStore(final MemoryBookmarkStore memory, final StoreFiles files, final int batch) {
        this.memory = memory;
        this.files = files;
        this.batch = batch;
    }

    static FileBookmarkStore open(final Path path, final int batch, final StoreDisk disk) {
        if (batch < 1) {
            throw new IllegalArgumentException("bookmark store: batch is too small: " + batch + " (use 1 or more)");
        }
        final MemoryBookmarkStore memory = new MemoryBookmarkStore();
        final StoreFiles files =
                StoreFiles.open(path, MAGIC, false, disk, (type, sequence, released, text, offset, length) -> {
                    final String record = text.getStringWithoutLengthUtf8(offset, length);
                    final int end = record.indexOf(' ');
                    if (end < 0 || (type != TYPE_BOOKMARK && type != TYPE_FORGOTTEN)) {
                        return "its record is no bookmark";
                    }
                    final String name = record.substring(end + 1);
                    memory.forget(name);
                    if (type == TYPE_BOOKMARK) {
                        read(memory, name, record.substring(0, end));
                    }
                    return null;
                });
        return new FileBookmarkStore(memory, files, batch);
    }

    private static void read(final MemoryBookmarkStore memory, final String name, final String text) {
        final Bookmark bookmark = Bookmark.parse(text);
        for (int shard = 0; shard < BookmarkText.SHARD_COUNT_MAX; shard++) {
            if (bookmark.sequence(shard) >= 0) {
                memory.note(name, shard, bookmark.sequence(shard));
            }
        }
    }

    @Override
    public Bookmark last(final String name) {
        return memory.last(name);
    }

    @Override
    public void note(final String name, final int shard, final long sequence) {
        lock.lock();
        try {
            memory.note(name, shard, sequence);
            if (!name.equals(lastChanged)) {
                changed.add(name);
                lastChanged = name;
            }
            if (++noteCount >= batch && !isClosed) {
                write();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void flush() {
        lock.lock();
        try {
            if (noteCount > 0 && !isClosed) {
                write();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<String> names() {
        return memory.names();
    }

    @Override
    public void forget(final String name) {
        lock.lock();
        try {
            memory.forget(name);
            changed.remove(name);
            lastChanged = null;
            append(TYPE_FORGOTTEN, "- " + name);
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        lastChanged = null;
        if (files.newest().length() > FILE_LENGTH) {
            turn();
        } else {
            for (final String name : changed) {
                append(TYPE_BOOKMARK, memory.last(name) + " " + name);
            }
        }
        changed.clear();
        noteCount = 0;
    }

    /** Only when the newest file has all names, the other one may be emptied. */
    private void turn() {
        if (!isNewestComplete) {
            writeAll();
        }
        isNewestComplete = false;
        files.turn();
        writeAll();
    }

    private void writeAll() {
        memory.forEach((name, bookmark) -> append(TYPE_BOOKMARK, bookmark + " " + name));
        files.newest().sync();
        isNewestComplete = true;
    }

    private void append(final int type, final String record) {
        final UnsafeBuffer text = new UnsafeBuffer(record.getBytes(UTF_8));
        files.append(type, 0, 0, text, 0, text.capacity());
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!isClosed) {
                isClosed = true;
                try {
                    if (noteCount > 0) {
                        write();
                    }
                } finally {
                    files.close();
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
