package io.penstock.client.engine;

import io.penstock.client.BookmarkStore;
import io.penstock.client.PenstockException;
import io.penstock.client.warning.ClientLog;
import org.agrona.concurrent.NanoClock;

/** Has a store write the bookmarks that were noted, when the agent has nothing else to do. Owned by the agent. */
final class BookmarkFlusher {
    private static final long FLUSH_INTERVAL_NS = 10_000_000L;

    private final BookmarkStore store;
    private final NanoClock clock;
    private long flushedNs;

    BookmarkFlusher(final BookmarkStore store, final NanoClock clock) {
        this.store = store;
        this.clock = clock;
    }

    void onIdle() {
        flushedNs = clock.nanoTime();
        flush();
    }

    void onStillIdle() {
        if (clock.nanoTime() - flushedNs >= FLUSH_INTERVAL_NS) {
            onIdle();
        }
    }

    /** Notes that cannot be written stay in memory, and are tried again with the next notes. */
    private void flush() {
        try {
            store.flush();
        } catch (final PenstockException e) {
            ClientLog.warn("bookmarks cannot be written", e);
        }
    }

    void close() {
        flush();
        store.close();
    }
}
