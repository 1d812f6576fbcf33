package io.penstock.broker.topic;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The topics of one shard by id and by name. Written by the shard's sequencer alone; read by any thread. Ids are given
 * once: no topic gets the id of a deleted one. Its memory depends on the number of topics, and of some that were
 * deleted last. Other agents read the table while the sequencer counts messages, so the sequencer does not write to it
 * for each message.
 */
public final class TopicTable {
    private static final int CHUNK_SHIFT = 10;
    private static final int CHUNK_LENGTH = 1 << CHUNK_SHIFT;

    /** Topics that are known for a while after they were deleted. A power of two. */
    static final int DELETED_COUNT = 256;

    private final AtomicReference<@Nullable Chunk[]> chunks = new AtomicReference<>(new Chunk[0]);
    private final ConcurrentHashMap<String, Topic> byName = new ConcurrentHashMap<>();
    private final AtomicInteger nextId = new AtomicInteger();
    private final AtomicInteger deletionCount = new AtomicInteger();

    /** Those that were deleted last, by the count of deletions before. */
    private final AtomicReferenceArray<@Nullable Topic> deleted = new AtomicReferenceArray<>(DELETED_COUNT);

    private final MessageRun run = new MessageRun();
    private final int countMax;
    private int count;

    /**
     * Makes an empty table.
     *
     * @param countMax bound of topics.
     */
    public TopicTable(final int countMax) {
        this.countMax = countMax;
    }

    /**
     * Whether the bound is reached. Called by the sequencer.
     *
     * @return true when no topic can be added.
     */
    public boolean isFull() {
        return count >= countMax || nextId.getPlain() == Integer.MAX_VALUE;
    }

    /**
     * The id of the next topic.
     *
     * @return id above all that were given.
     */
    public int nextId() {
        return nextId.getAcquire();
    }

    /**
     * Adds a topic. Called by the sequencer, after its record was appended.
     *
     * @param topic whose id is {@link #nextId()}.
     */
    public void add(final Topic topic) {
        assert topic.id() == nextId.getPlain() : topic;
        chunkFor(topic.id()).add(topic);
        nextId.setRelease(topic.id() + 1);
        byName.put(topic.name(), topic);
        count++;
    }

    /**
     * Removes a topic. Called by the sequencer, after the record of its deletion was appended.
     *
     * @param topic of this table.
     */
    public void remove(final Topic topic) {
        final Chunk chunk = chunk(topic.id());
        if (chunk == null || chunk.topics.getPlain(topic.id() & (CHUNK_LENGTH - 1)) == null) {
            throw new IllegalArgumentException("topics: no such topic: " + topic);
        }
        // A reader that does not find the id does not find the name either; a reader that finds it counted finds both.
        byName.remove(topic.name(), topic);
        deleted.setRelease(deletionCount.getPlain() & (DELETED_COUNT - 1), topic);
        flushCounts();
        run.end();
        chunk.topics.setRelease(topic.id() & (CHUNK_LENGTH - 1), null);
        chunk.count--;
        deletionCount.setRelease(deletionCount.getPlain() + 1);
        count--;
        freeIfUnused(topic.id() >>> CHUNK_SHIFT, chunk);
    }

    /**
     * Passes over ids of topics that were deleted. Called by the sequencer, or by who starts it.
     *
     * @param idCount how many.
     */
    public void skip(final int idCount) {
        final int before = nextId.getPlain();
        final Chunk chunk = chunk(before);
        nextId.setRelease(Math.addExact(before, idCount));
        if (chunk != null) {
            freeIfUnused(before >>> CHUNK_SHIFT, chunk);
        }
    }

    /** Frees a chunk without topics, unless the next topic comes into it. */
    private void freeIfUnused(final int index, final Chunk chunk) {
        if (chunk.count == 0 && index != nextId.getPlain() >>> CHUNK_SHIFT) {
            final @Nullable Chunk[] less = chunks.getPlain().clone();
            less[index] = null;
            chunks.setRelease(less);
        }
    }

    /**
     * How many topics were deleted since the start. What was looked up at one count is still there at the same count.
     *
     * @return count.
     */
    public int deletionCount() {
        return deletionCount.getAcquire();
    }

    /**
     * Whether there is a topic; for messages of one in a row this takes no search. Called by the sequencer.
     *
     * @param id of a topic, or any number that is not negative.
     * @return false when it was deleted, or not created yet.
     */
    public boolean has(final int id) {
        return run.isOf(id) || find(id) != null;
    }

    /**
     * Finds a topic by its id.
     *
     * @param id of a topic, or any number.
     * @return the topic, or null when there is none.
     */
    public @Nullable Topic find(final int id) {
        final Chunk chunk = chunk(id);
        return chunk == null ? null : chunk.topics.getAcquire(id & (CHUNK_LENGTH - 1));
    }

    /**
     * Finds a deleted topic, for agents that have messages from before. Slow.
     *
     * @param id of a topic.
     * @return the topic, or null when it is not among the {@value #DELETED_COUNT} that were deleted last.
     */
    public @Nullable Topic findDeleted(final int id) {
        for (int i = 0; i < DELETED_COUNT; i++) {
            final Topic topic = deleted.getAcquire(i);
            if (topic != null && topic.id() == id) {
                return topic;
            }
        }
        return null;
    }

    /**
     * Finds a topic by its name.
     *
     * @param name of the topic.
     * @return the topic, or null.
     */
    public @Nullable Topic find(final String name) {
        return byName.get(name);
    }

    /**
     * Counts a message, for others to see from {@link #flushCounts} on. Called by the sequencer.
     *
     * @param id of the topic.
     */
    public void onMessage(final int id) {
        if (!run.isOf(id)) {
            flushCounts();
            run.begin(id);
        }
        run.increment();
    }

    /** Lets others see all that was counted. Called by the sequencer. */
    public void flushCounts() {
        final int id = run.topicId();
        final Chunk chunk = id < 0 ? null : chunk(id);
        if (chunk != null) {
            final int index = id & (CHUNK_LENGTH - 1);
            chunk.messageCounts.setOpaque(index, chunk.messageCounts.getPlain(index) + run.count());
        }
        run.clear();
    }

    /**
     * Messages published to a topic since the broker started.
     *
     * @param id of the topic.
     * @return count.
     */
    public long messageCount(final int id) {
        final Chunk chunk = chunk(id);
        return chunk == null ? 0 : chunk.messageCounts.getOpaque(id & (CHUNK_LENGTH - 1));
    }

    /**
     * The next id that a topic may have, for who goes through all of them: those of deleted topics are passed over many at once.
     *
     * @param id of a topic, or that was given once.
     * @return above it.
     */
    public int idAfter(final int id) {
        final long next = chunk(id) == null ? ((id >>> CHUNK_SHIFT) + 1L) << CHUNK_SHIFT : id + 1L;
        return (int) Math.min(Integer.MAX_VALUE, next);
    }

    /**
     * All topics there are now.
     *
     * @return topics by id.
     */
    public Topic[] snapshot() {
        Topic[] all = new Topic[byName.size()];
        int size = 0;
        for (final Chunk chunk : chunks.getAcquire()) {
            for (int i = 0; chunk != null && i < CHUNK_LENGTH; i++) {
                final Topic topic = chunk.topics.getAcquire(i);
                if (topic != null) {
                    if (size == all.length) {
                        all = Arrays.copyOf(all, size + CHUNK_LENGTH);
                    }
                    all[size++] = topic;
                }
            }
        }
        return Arrays.copyOf(all, size);
    }

    private @Nullable Chunk chunk(final int id) {
        final @Nullable Chunk[] present = chunks.getAcquire();
        final int index = id >>> CHUNK_SHIFT;
        return index < present.length ? present[index] : null;
    }

    private Chunk chunkFor(final int id) {
        final Chunk known = chunk(id);
        if (known != null) {
            return known;
        }
        final int index = id >>> CHUNK_SHIFT;
        final @Nullable Chunk[] present = chunks.getPlain();
        final @Nullable Chunk[] more = Arrays.copyOf(present, Math.max(present.length, index + 1));
        final Chunk before = index == 0 ? null : more[index - 1];
        if (before != null && before.count == 0) {
            more[index - 1] = null;
        }
        final Chunk chunk = new Chunk();
        more[index] = chunk;
        chunks.setRelease(more);
        return chunk;
    }

    /** Topics whose ids lie together. */
    private static final class Chunk {
        private final AtomicReferenceArray<@Nullable Topic> topics = new AtomicReferenceArray<>(CHUNK_LENGTH);
        private final AtomicLongArray messageCounts = new AtomicLongArray(CHUNK_LENGTH);

        /** Topics in it. Used by the sequencer. */
        private int count;

        void add(final Topic topic) {
            count++;
            topics.setRelease(topic.id() & (CHUNK_LENGTH - 1), topic);
        }
    }
}
