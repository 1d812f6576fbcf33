package io.penstock.client.store;

import io.penstock.client.BookmarkStore;
import io.penstock.client.PublishStore;
import io.penstock.transport.RequiredFlags;
import java.nio.file.Path;

/**
 * Internal: makes the stores that {@link PublishStore} and {@link BookmarkStore} offer. Programs open them before their first
 * client.
 */
public final class Stores {
    private Stores() {}

    /** Internal: see {@link PublishStore#inMemory(int, int)}. */
    public static PublishStore publishesInMemory(final int limit, final int length) {
        RequiredFlags.check();
        return new MemoryPublishStore(limit, length);
    }

    /** Internal: see {@link PublishStore#inFile(Path, int, int, PublishStore.Sync)}. */
    public static PublishStore publishesInFile(
            final Path path, final int limit, final int length, final PublishStore.Sync sync) {
        RequiredFlags.check();
        return FilePublishStore.open(path, limit, length, sync);
    }

    /** Internal: see {@link BookmarkStore#inMemory()}. */
    public static BookmarkStore bookmarksInMemory() {
        RequiredFlags.check();
        return new MemoryBookmarkStore();
    }

    /** Internal: see {@link BookmarkStore#inFile(Path, int)}. */
    public static BookmarkStore bookmarksInFile(final Path path, final int batch) {
        RequiredFlags.check();
        return FileBookmarkStore.open(path, batch, StoreDisk.SYSTEM);
    }
}
