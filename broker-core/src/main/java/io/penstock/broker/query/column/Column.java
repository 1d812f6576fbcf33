package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.ColumnMemory;
import io.penstock.format.FieldPath;

/** A column of a store: a field, and the texts that it has had. What the rows have is in the parts of their blocks. */
public final class Column {
    final int index;
    private final FieldPath path;
    private final TextDictionary texts;

    Column(final int index, final FieldPath path, final ColumnMemory memory) {
        this.index = index;
        this.path = path;
        texts = new TextDictionary(memory);
    }

    /**
     * The field.
     *
     * @return path of it; no header.
     */
    public FieldPath path() {
        return path;
    }

    /**
     * The texts of all blocks.
     *
     * @return for any thread.
     */
    public TextDictionary texts() {
        return texts;
    }
}
