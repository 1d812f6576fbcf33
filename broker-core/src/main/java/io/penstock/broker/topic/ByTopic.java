package io.penstock.broker.topic;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A map with values for some topics of a shard, by their ids. Its memory depends on the number of values, however high
 * the ids are. Confined to one thread.
 *
 * @param <T> what there is for a topic.
 */
public final class ByTopic<T> {
    private static final int CHUNK_SHIFT = 6;
    private static final int CHUNK_LENGTH = 1 << CHUNK_SHIFT;

    private @Nullable Chunk[] chunks = new Chunk[0];

    /** The id that was asked for last: messages of a topic come in a row. */
    private int lastId = -1;

    private @Nullable T last;

    /** Has nothing yet. */
    public ByTopic() {}

    /**
     * The value for a topic.
     *
     * @param id of the topic, or any number that is not negative.
     * @return what was put, or null.
     */
    public @Nullable T get(final int id) {
        if (id != lastId) {
            last = find(id);
            lastId = id;
        }
        return last;
    }

    /**
     * Puts something in the place of what there is for a topic.
     *
     * @param id    of the topic, not negative.
     * @param value for it, or null for nothing.
     */
    public void put(final int id, final @Nullable T value) {
        lastId = -1;
        last = null;
        final int index = id >>> CHUNK_SHIFT;
        if (index >= chunks.length) {
            if (value == null) {
                return;
            }
            chunks = Arrays.copyOf(chunks, Math.max(index + 1, chunks.length + (chunks.length >> 1)));
        }
        Chunk chunk = chunks[index];
        if (chunk == null) {
            if (value == null) {
                return;
            }
            chunk = new Chunk();
            chunks[index] = chunk;
        }
        final int slot = id & (CHUNK_LENGTH - 1);
        chunk.count += (value == null ? 0 : 1) - (chunk.values[slot] == null ? 0 : 1);
        chunk.values[slot] = value;
        if (chunk.count == 0) {
            chunks[index] = null;
        }
    }

    /**
     * Hands over all there is, in the order of ids.
     *
     * @param handler that may put nothing in the place of what it gets.
     */
    @SuppressWarnings("unchecked")
    public void forEach(final Consumer<T> handler) {
        for (int i = 0; i < chunks.length; i++) {
            final Chunk chunk = chunks[i];
            for (int j = 0; chunk != null && j < CHUNK_LENGTH; j++) {
                if (chunk.values[j] != null) {
                    handler.accept((T) chunk.values[j]);
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private @Nullable T find(final int id) {
        final int index = id >>> CHUNK_SHIFT;
        final Chunk chunk = index < chunks.length ? chunks[index] : null;
        return chunk == null ? null : (T) chunk.values[id & (CHUNK_LENGTH - 1)];
    }

    private static final class Chunk {
        private final @Nullable Object[] values = new Object[CHUNK_LENGTH];
        private int count;
    }
}
