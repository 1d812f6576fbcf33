package io.penstock.orb.chunk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The streams of a connection, by their numbers. Guarded by the connection's lock, but {@link #count}. */
final class StreamTable {
    private final Map<Integer, ChunkStream> streams = new HashMap<>();
    private int lastId;
    private volatile int count;

    /** How many there are. Safe on any thread. */
    int count() {
        return count;
    }

    /** A number that no stream has. */
    int nextId() {
        do {
            lastId++;
        } while (lastId == 0 || streams.containsKey(lastId));
        return lastId;
    }

    /** The stream of that number; null when there is none. */
    ChunkStream get(final int id) {
        return streams.get(id);
    }

    /** Whether it is there, and not another one of its number. */
    boolean has(final ChunkStream stream) {
        return streams.get(stream.id()) == stream;
    }

    void add(final ChunkStream stream) {
        streams.put(stream.id(), stream);
        count = streams.size();
    }

    /** Returns false when it was not there. */
    boolean remove(final ChunkStream stream) {
        final boolean isRemoved = streams.remove(stream.id(), stream);
        count = streams.size();
        return isRemoved;
    }

    /** Those of which a part has come before that time, and not enough since. */
    List<ChunkStream> partsSince(final long sinceNs) {
        final List<ChunkStream> late = new ArrayList<>();
        for (final ChunkStream each : streams.values()) {
            if (each.isPartSince(sinceNs)) {
                late.add(each);
            }
        }
        return late;
    }

    /** Removes all, and returns them. */
    List<ChunkStream> clear() {
        final List<ChunkStream> all = new ArrayList<>(streams.values());
        streams.clear();
        count = 0;
        return all;
    }
}
