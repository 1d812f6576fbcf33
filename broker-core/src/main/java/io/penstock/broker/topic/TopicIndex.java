package io.penstock.broker.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import java.util.Arrays;
import java.util.function.Predicate;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An I/O agent's own index of topics by the bytes of their names, so that a name on the wire is looked up without
 * making a string. Bounded by the topics of all shards. Confined to its agent.
 */
public final class TopicIndex {
    private static final int CAPACITY_INITIAL = 64;

    private @Nullable Topic[] topics = new Topic[CAPACITY_INITIAL];
    private UnsafeBuffer[] names = new UnsafeBuffer[CAPACITY_INITIAL];
    private int count;

    /**
     * Looks a topic up.
     *
     * @param buffer holding the name.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return the topic, or null when it is not in the index.
     */
    public @Nullable Topic find(final DirectBuffer buffer, final int offset, final int length) {
        int slot = hash(buffer, offset, length) & (topics.length - 1);
        Topic topic;
        while ((topic = topics[slot]) != null) {
            if (equal(names[slot], buffer, offset, length)) {
                return topic;
            }
            slot = (slot + 1) & (topics.length - 1);
        }
        return null;
    }

    /**
     * Adds a topic, in place of another one with its name if there is one. Before the index grows, it forgets deleted
     * topics.
     *
     * @param topic   to find from now on.
     * @param isThere whether a topic still exists.
     */
    public void add(final Topic topic, final Predicate<Topic> isThere) {
        if ((count + 1) * 2 > topics.length) {
            final @Nullable Topic[] old = topics;
            final int left = (int) Arrays.stream(old)
                    .filter(each -> each != null && isThere.test(each))
                    .count();
            final int capacity = BitUtil.findNextPositivePowerOfTwo(Math.max(CAPACITY_INITIAL, 4 * left));
            topics = new Topic[capacity];
            names = new UnsafeBuffer[capacity];
            count = 0;
            for (final Topic each : old) {
                // Topics that were deleted since the count do no harm: there is room for all that existed then.
                if (each != null && isThere.test(each)) {
                    insert(each);
                }
            }
        }
        insert(topic);
    }

    /**
     * How many topics it has, including deleted ones that are not forgotten yet.
     *
     * @return count.
     */
    public int count() {
        return count;
    }

    /**
     * Compares a name with bytes.
     *
     * @param name   of a topic.
     * @param buffer holding the bytes.
     * @param offset of the first one.
     * @param length in bytes.
     * @return true when they are the same.
     */
    public static boolean equal(
            final DirectBuffer name, final DirectBuffer buffer, final int offset, final int length) {
        if (name.capacity() != length) {
            return false;
        }
        if (length < SIZE_OF_INT) {
            return equalBytes(name, buffer, offset, length);
        }
        if (length < SIZE_OF_LONG) {
            final int last = length - SIZE_OF_INT;
            return name.getInt(0) == buffer.getInt(offset) && name.getInt(last) == buffer.getInt(offset + last);
        }
        // The last word overlaps the one before it.
        final int last = length - SIZE_OF_LONG;
        for (int i = 0; i < last; i += SIZE_OF_LONG) {
            if (name.getLong(i) != buffer.getLong(offset + i)) {
                return false;
            }
        }
        return name.getLong(last) == buffer.getLong(offset + last);
    }

    private static boolean equalBytes(
            final DirectBuffer name, final DirectBuffer buffer, final int offset, final int length) {
        for (int i = 0; i < length; i++) {
            if (name.getByte(i) != buffer.getByte(offset + i)) {
                return false;
            }
        }
        return true;
    }

    private void insert(final Topic topic) {
        final UnsafeBuffer name = new UnsafeBuffer(topic.name().getBytes(UTF_8));
        int slot = hash(name, 0, name.capacity()) & (topics.length - 1);
        while (topics[slot] != null && !equal(names[slot], name, 0, name.capacity())) {
            slot = (slot + 1) & (topics.length - 1);
        }
        count += topics[slot] == null ? 1 : 0;
        topics[slot] = topic;
        names[slot] = name;
    }

    private static int hash(final DirectBuffer buffer, final int offset, final int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = hash * 31 + buffer.getByte(offset + i);
        }
        // The low bits choose the slot: mix the high ones into them.
        return (hash * 0x9E3779B9) ^ (hash >>> 15);
    }
}
