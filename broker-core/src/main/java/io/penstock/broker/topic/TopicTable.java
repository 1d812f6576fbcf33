package io.penstock.broker.topic;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The topics of one shard by id. Written by the shard's sequencer, which alone adds to it; read by any thread. Topics
 * are never removed.
 */
public final class TopicTable {
    private final AtomicReference<Topic[]> published = new AtomicReference<>(new Topic[0]);
    private final int countMax;
    private final AtomicLongArray messageCounts;

    /**
     * Makes an empty table.
     *
     * @param countMax bound of topics.
     */
    public TopicTable(final int countMax) {
        this.countMax = countMax;
        messageCounts = new AtomicLongArray(countMax);
    }

    /**
     * Whether the bound is reached.
     *
     * @return true when no topic can be added.
     */
    public boolean isFull() {
        return published.getPlain().length >= countMax;
    }

    /**
     * The id of the next topic.
     *
     * @return count of topics.
     */
    public int count() {
        return published.getAcquire().length;
    }

    /**
     * Adds a topic. Called by the sequencer, after its record was appended.
     *
     * @param topic whose id is {@link #count()}.
     */
    public void add(final Topic topic) {
        final Topic[] topics = published.getPlain();
        assert topic.id() == topics.length : topic;
        final Topic[] more = Arrays.copyOf(topics, topics.length + 1);
        more[topics.length] = topic;
        published.setRelease(more);
    }

    /**
     * Finds a topic by its id.
     *
     * @param id given by this table.
     * @return the topic.
     */
    public Topic topic(final int id) {
        return published.getAcquire()[id];
    }

    /**
     * Finds a topic by its name, slowly.
     *
     * @param name of the topic.
     * @return the topic, or null.
     */
    public @Nullable Topic find(final String name) {
        for (final Topic topic : published.getAcquire()) {
            if (topic.name().equals(name)) {
                return topic;
            }
        }
        return null;
    }

    /**
     * Counts a message. Called by the sequencer.
     *
     * @param id of the topic.
     */
    public void onMessage(final int id) {
        messageCounts.setOpaque(id, messageCounts.getPlain(id) + 1);
    }

    /**
     * Messages published to a topic since the broker started.
     *
     * @param id of the topic.
     * @return count.
     */
    public long messageCount(final int id) {
        return messageCounts.getOpaque(id);
    }

    /**
     * All topics there are now.
     *
     * @return topics by id, not to be changed.
     */
    public Topic[] snapshot() {
        return published.getAcquire();
    }
}
