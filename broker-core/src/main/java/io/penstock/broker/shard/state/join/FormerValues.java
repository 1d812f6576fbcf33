package io.penstock.broker.shard.state.join;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.IntHashSet;

/**
 * Values that records of a topic had before they changed, by their hashes: each once, in the order in which they were
 * added. Owned by the sequencer.
 */
public final class FormerValues {
    private final IntArrayList hashes = new IntArrayList();
    private final IntHashSet waiting = new IntHashSet();
    private int taken;

    /**
     * Adds a value, unless it is among these.
     *
     * @param hash of the value.
     */
    public void add(final int hash) {
        if (waiting.add(hash)) {
            hashes.addInt(hash);
        }
    }

    /**
     * Whether there are none.
     *
     * @return whether {@link #first} may not be called.
     */
    public boolean isEmpty() {
        return hashes.isEmpty();
    }

    /**
     * The value that was added first.
     *
     * @return its hash.
     */
    public int first() {
        return hashes.getInt(taken);
    }

    /** Takes out the value that was added first. */
    public void removeFirst() {
        waiting.remove(first());
        taken++;
        if (taken == hashes.size()) {
            hashes.clear();
            taken = 0;
        }
    }

    /** Forgets all of them, and gives their memory back. */
    public void free() {
        hashes.clear();
        hashes.trimToSize();
        waiting.clear();
        waiting.compact();
        taken = 0;
    }
}
