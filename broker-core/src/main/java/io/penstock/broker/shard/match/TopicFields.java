package io.penstock.broker.shard.match;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import io.penstock.format.GrowableReader;
import io.penstock.format.RecordReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.agrona.collections.IntArrayList;

/**
 * The fields that filters of one topic read, each with one slot of the topic's readers for as long as some filter reads it.
 * What a filter that comes or goes costs does not grow with the others. Confined to the agent that has the readers.
 */
public final class TopicFields {
    /** Those of the format until the first header is read, and then those that read headers as well. */
    private final GrowableReader[] readers;

    private boolean readsHeaders;
    private final Map<FieldPath, Field> fields = new HashMap<>();
    private final IntArrayList freeSlots = new IntArrayList();

    /**
     * Starts without fields.
     *
     * @param readers that are to read them, and are changed by nobody else.
     */
    public TopicFields(final GrowableReader... readers) {
        this.readers = readers.clone();
    }

    /**
     * One of the readers that it was given, or what reads headers as well by it once a filter has asked for one.
     *
     * @param index of the reader.
     * @return what messages are read with from the next one on.
     */
    public GrowableReader reader(final int index) {
        return readers[index];
    }

    /**
     * Tells whether filters have asked for headers, so that messages are to be read with theirs.
     *
     * @return false as long as none has.
     */
    public boolean readsHeaders() {
        return readsHeaders;
    }

    /**
     * Takes up the fields of a filter. They are read from the next message on that a reader is given.
     *
     * @param ofFilter fields that it has numbered for itself.
     * @return the slots in which they are read, by these numbers.
     */
    public int[] take(final FieldSet ofFilter) {
        final int[] slots = new int[ofFilter.count()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = take(ofFilter.path(i));
        }
        return slots;
    }

    private int take(final FieldPath path) {
        Field field = fields.get(path);
        if (field == null) {
            final int slot = freeSlots.isEmpty() ? fields.size() : freeSlots.removeAt(freeSlots.size() - 1);
            field = new Field(slot);
            fields.put(path, field);
            if (path.isHeader() && !readsHeaders) {
                readsHeaders = true;
                Arrays.setAll(readers, i -> RecordReader.of(readers[i]));
            }
            for (final GrowableReader reader : readers) {
                reader.add(slot, path);
            }
        }
        field.useCount++;
        return field.slot;
    }

    /**
     * A filter is gone that fields were taken up for.
     *
     * @param ofFilter the same fields.
     */
    public void give(final FieldSet ofFilter) {
        for (int i = 0; i < ofFilter.count(); i++) {
            give(ofFilter.path(i));
        }
    }

    private void give(final FieldPath path) {
        final Field field = Objects.requireNonNull(fields.get(path));
        if (--field.useCount > 0) {
            return;
        }
        fields.remove(path);
        freeSlots.addInt(field.slot);
        for (final GrowableReader reader : readers) {
            reader.remove(field.slot, path);
        }
    }

    /** A slot, and how many filters read it. */
    private static final class Field {
        private final int slot;
        private int useCount;

        Field(final int slot) {
            this.slot = slot;
        }
    }
}
