package io.penstock.client.store;

import io.penstock.client.Bookmark;
import io.penstock.client.BookmarkStore;
import io.penstock.client.PenstockException;
import io.penstock.protocol.BookmarkText;
import io.penstock.protocol.ErrorCode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Keeps the last sequence of each shard for each name. Threads take turns. */
final class MemoryBookmarkStore implements BookmarkStore {
    private static final long UNKNOWN = -1;

    private final Map<String, long[]> sequencesByName = new HashMap<>();
    private @Nullable String lastName;
    private long[] lastSequences = new long[0];

    @Override
    public boolean isLasting() {
        return false;
    }

    @Override
    public synchronized Bookmark last(final String name) {
        final long[] sequences = sequencesByName.get(name);
        return sequences == null ? Bookmark.NONE : bookmark(sequences);
    }

    private static Bookmark bookmark(final long[] sequences) {
        Bookmark bookmark = Bookmark.NONE;
        for (int shard = 0; shard < sequences.length; shard++) {
            if (sequences[shard] != UNKNOWN) {
                bookmark = bookmark.with(shard, sequences[shard]);
            }
        }
        return bookmark;
    }

    @Override
    public synchronized void note(final String name, final int shard, final long sequence) {
        if (!name.equals(lastName) || shard >= lastSequences.length) {
            lastSequences = sequences(name, shard);
            lastName = name;
        }
        lastSequences[shard] = Math.max(lastSequences[shard], sequence);
    }

    private long[] sequences(final String name, final int shard) {
        final long[] known = sequencesByName.get(name);
        if (known != null && shard < known.length) {
            return known;
        }
        if (known == null && sequencesByName.size() == NAME_LIMIT) {
            throw new PenstockException(
                    ErrorCode.LIMIT_REACHED,
                    "bookmark store: no more than " + NAME_LIMIT + " names: " + name + " (forget those of the past)");
        }
        if (shard < 0 || shard >= BookmarkText.SHARD_COUNT_MAX) {
            throw new IllegalArgumentException("bookmark store: no such shard: " + shard);
        }
        final long[] sequences = known == null ? new long[shard + 1] : Arrays.copyOf(known, shard + 1);
        Arrays.fill(sequences, known == null ? 0 : known.length, shard + 1, UNKNOWN);
        sequencesByName.put(name, sequences);
        return sequences;
    }

    synchronized void forEach(final BiConsumer<String, Bookmark> consumer) {
        sequencesByName.forEach((name, sequences) -> consumer.accept(name, bookmark(sequences)));
    }

    @Override
    public synchronized void forget(final String name) {
        sequencesByName.remove(name);
        lastName = null;
    }

    @Override
    public synchronized Set<String> names() {
        return Set.copyOf(sequencesByName.keySet());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
