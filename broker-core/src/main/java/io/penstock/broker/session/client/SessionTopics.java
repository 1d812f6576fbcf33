package io.penstock.broker.session.client;

import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** A client's permissions for the topics that it has used or got. Confined to its I/O agent. */
public final class SessionTopics {
    private static final int ACCESS_LIMIT_MIN = 64;

    private Long2ObjectHashMap<TopicAccess> accesses = new Long2ObjectHashMap<>();
    private int accessLimit = ACCESS_LIMIT_MIN;
    private @Nullable TopicAccess found;
    private long foundKey = -1;
    private @Nullable TopicAccess lastPublished;
    private long decidedAt;
    private long lookedAt;

    /** The topic that it has published to last; null before the first. */
    public @Nullable TopicAccess lastPublished() {
        return lastPublished;
    }

    /** The same, from now on. */
    public void lastPublished(final @Nullable TopicAccess value) {
        lastPublished = value;
    }

    /** Its permissions for a topic; null when it has not used the topic. */
    public @Nullable TopicAccess access(final int shard, final int topicId) {
        final long key = key(shard, topicId);
        if (key != foundKey) {
            final TopicAccess access = accesses.get(key);
            if (access == null) {
                return null;
            }
            found = access;
            foundKey = key;
        }
        return found;
    }

    /**
     * Keeps what it may do with a topic.
     *
     * @param mayForget whether those of topics that were deleted may go.
     */
    void add(final TopicAccess access, final boolean mayForget) {
        if (accesses.size() >= accessLimit && mayForget) {
            accesses.values().removeIf(each -> !each.isThere() && !each.hasKeyDeletes());
            found = null;
            foundKey = -1;
            accessLimit = Math.max(ACCESS_LIMIT_MIN, 2 * accesses.size());
        }
        accesses.put(key(access.topic().shard(), access.topic().id()), access);
    }

    /** The last change of permissions that holds for all that its client has begun. */
    public long decidedAt() {
        return decidedAt;
    }

    /** The same, from now on. */
    public void decidedAt(final long version) {
        decidedAt = version;
    }

    /** The last change of permissions after which it was looked at, be there a command of before that is not answered yet. */
    public long lookedAt() {
        return lookedAt;
    }

    /** The same, from now on. */
    public void lookedAt(final long version) {
        lookedAt = version;
    }

    /** Topics that it has used or got. */
    public int count() {
        return accesses.size();
    }

    /** Hands over what it may do with each topic. */
    void forEach(final Consumer<TopicAccess> handler) {
        accesses.values().forEach(handler);
    }

    private static long key(final int shard, final int topicId) {
        return ((long) shard << Integer.SIZE) | topicId;
    }
}
