package io.penstock.client.session;

import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The topics that a broker has described on a connection. Owned by the session. */
final class TopicNames {
    private final Long2ObjectHashMap<String> nameByKey = new Long2ObjectHashMap<>();
    private final int limit;
    private long lastKey;
    private @Nullable String lastName;

    TopicNames(final int limit) {
        this.limit = limit;
    }

    /** Returns false when there are too many. */
    boolean put(final int shard, final int topicId, final String name) {
        final long key = key(shard, topicId);
        lastName = null;
        nameByKey.put(key, name);
        return nameByKey.size() <= limit;
    }

    /** Returns null for a topic that was not described. */
    @Nullable
    String find(final int shard, final int topicId) {
        final long key = key(shard, topicId);
        if (lastName == null || key != lastKey) {
            lastName = nameByKey.get(key);
            lastKey = key;
        }
        return lastName;
    }

    void clear() {
        nameByKey.clear();
        lastName = null;
    }

    private static long key(final int shard, final int topicId) {
        return ((long) shard << 32) | (topicId & 0xFFFF_FFFFL);
    }
}
