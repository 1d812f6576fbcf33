package io.penstock.client.engine;

import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The topics that were published to on a connection, with whether the broker keeps them on stable storage. Found by the
 * bytes of their names, without allocating. Owned by the agent.
 */
final class TopicKinds {
    private final Long2ObjectHashMap<Topic> topicByHash = new Long2ObjectHashMap<>();
    private final int limit;
    private @Nullable Topic last;
    private int count;

    /** A topic; others whose names have the same hash follow. */
    private record Topic(
            TopicName name, boolean isInMemory, @Nullable Topic next) {}

    /** Bytes of a name, which are not written to. */
    private static final class TopicName {
        private final byte[] bytes;

        TopicName(final DirectBuffer buffer, final int offset, final int length) {
            bytes = new byte[length];
            buffer.getBytes(offset, bytes);
        }

        boolean isAt(final DirectBuffer buffer, final int offset, final int length) {
            if (length != bytes.length) {
                return false;
            }
            for (int i = 0; i < length; i++) {
                if (bytes[i] != buffer.getByte(offset + i)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** At the limit all are forgotten: they are asked for again. */
    TopicKinds(final int limit) {
        this.limit = limit;
    }

    boolean isKnown(final DirectBuffer buffer, final int offset, final int length) {
        return find(buffer, offset, length) != null;
    }

    /** False as well for one that is not known. */
    boolean isInMemory(final DirectBuffer buffer, final int offset, final int length) {
        final Topic topic = find(buffer, offset, length);
        return topic != null && topic.isInMemory();
    }

    private @Nullable Topic find(final DirectBuffer buffer, final int offset, final int length) {
        if (last == null || !last.name().isAt(buffer, offset, length)) {
            Topic topic = topicByHash.get(hash(buffer, offset, length));
            while (topic != null && !topic.name().isAt(buffer, offset, length)) {
                topic = topic.next();
            }
            last = topic;
        }
        return last;
    }

    void add(final DirectBuffer buffer, final int offset, final int length, final boolean isInMemory) {
        if (count == limit) {
            clear();
        }
        count++;
        final long hash = hash(buffer, offset, length);
        topicByHash.put(hash, new Topic(new TopicName(buffer, offset, length), isInMemory, topicByHash.get(hash)));
    }

    void clear() {
        topicByHash.clear();
        last = null;
        count = 0;
    }

    private static long hash(final DirectBuffer buffer, final int offset, final int length) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < length; i++) {
            hash = (hash ^ (buffer.getByte(offset + i) & 0xFF)) * 0x100000001b3L;
        }
        return hash;
    }
}
