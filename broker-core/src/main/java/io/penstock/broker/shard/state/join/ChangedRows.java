package io.penstock.broker.shard.state.join;

import org.agrona.collections.IntArrayList;

/**
 * Rows of a topic that have changed, each once, in the order of their last changes. Owned by the sequencer.
 */
public final class ChangedRows {
    /** No row. */
    public static final int NONE = RowNumbers.NONE;

    private final IntArrayList rows = new IntArrayList();

    /** Where the last change of each is among these; {@link #NONE} when it was taken. */
    private final RowNumbers places = new RowNumbers(1);

    private int taken;

    /**
     * Adds a row.
     *
     * @param row that has changed.
     */
    public void add(final int row) {
        places.set(row, 0, rows.size());
        rows.addInt(row);
    }

    /**
     * Takes the row whose last change is the earliest.
     *
     * @return row, or {@link #NONE}.
     */
    public int take() {
        while (taken < rows.size()) {
            final int place = taken++;
            final int row = rows.getInt(place);
            if (places.get(row, 0) == place) {
                places.set(row, 0, NONE);
                return row;
            }
        }
        rows.clear();
        taken = 0;
        return NONE;
    }

    /** Forgets all of them. */
    public void clear() {
        while (take() != NONE) {
            // Each is forgotten by itself.
        }
    }

    /** Forgets all of them, and gives their memory back. */
    public void free() {
        rows.clear();
        rows.trimToSize();
        places.free();
        taken = 0;
    }

    /**
     * The memory of the rows.
     *
     * @return bytes.
     */
    public long memoryLength() {
        return places.memoryLength() + (long) rows.size() * Integer.BYTES;
    }
}
