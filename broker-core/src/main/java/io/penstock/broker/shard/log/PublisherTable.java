package io.penstock.broker.shard.log;

import java.util.Arrays;
import org.agrona.collections.Object2IntHashMap;

/**
 * The named publishers of a shard and the highest sequence applied for each, so that a message that is sent again
 * counts once. A function of the log's records. Confined to the sequencer.
 */
public final class PublisherTable {
    private final Object2IntHashMap<String> ids = new Object2IntHashMap<>(0);
    private final int countMax;
    private long[] lastSequences = new long[16];
    private String[] names = new String[16];

    /**
     * Makes an empty table.
     *
     * @param countMax bound of publishers.
     */
    public PublisherTable(final int countMax) {
        this.countMax = countMax;
    }

    public boolean isFull() {
        return ids.size() >= countMax;
    }

    /**
     * Finds a publisher.
     *
     * @param name of the client.
     * @return its number from 1, or 0.
     */
    public int find(final String name) {
        return ids.getValue(name);
    }

    /**
     * Adds a publisher.
     *
     * @param name not in the table.
     * @return its number, the next one.
     */
    public int add(final String name) {
        final int id = ids.size() + 1;
        ids.put(name, id);
        if (id >= lastSequences.length) {
            lastSequences = Arrays.copyOf(lastSequences, lastSequences.length * 2);
            names = Arrays.copyOf(names, names.length * 2);
        }
        names[id] = name;
        return id;
    }

    /**
     * The highest sequence applied.
     *
     * @param id of the publisher, or 0.
     * @return the sequence, or 0.
     */
    public long lastSequence(final int id) {
        return lastSequences[id];
    }

    /**
     * Remembers a sequence that was applied.
     *
     * @param id       of the publisher.
     * @param sequence above the last one.
     */
    public void onApplied(final int id, final long sequence) {
        lastSequences[id] = sequence;
    }

    /**
     * Takes back that sequences were applied.
     *
     * @param id       of the publisher.
     * @param sequence the highest that still counts as applied; nothing happens when none above it does.
     */
    public void onReset(final int id, final long sequence) {
        lastSequences[id] = Math.min(lastSequences[id], sequence);
    }

    /**
     * The name of a publisher.
     *
     * @param id of it.
     * @return as it was added.
     */
    public String name(final int id) {
        return names[id];
    }

    /**
     * The number the next publisher will get.
     *
     * @return number from 1.
     */
    public int nextId() {
        return ids.size() + 1;
    }

    /**
     * All names.
     *
     * @return a copy, by number; the first is none.
     */
    public String[] names() {
        return Arrays.copyOf(names, nextId());
    }

    /**
     * The highest sequence applied of each publisher.
     *
     * @return a copy, by number; the first is none.
     */
    public long[] lastSequences() {
        return Arrays.copyOf(lastSequences, nextId());
    }
}
