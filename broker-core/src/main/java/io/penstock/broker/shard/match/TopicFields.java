package io.penstock.broker.shard.match;

import io.penstock.broker.filter.program.Workspace;
import io.penstock.broker.shard.match.index.Chained;
import io.penstock.broker.shard.match.index.GrowingTable;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import io.penstock.format.GrowableReader;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import java.util.Arrays;
import java.util.Objects;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The fields that filters of one topic read, each with one slot of the topic's readers for as long as some filter reads
 * it, and the records that they are read from. The cost of adding or removing a filter does not grow with the number of
 * others. Confined to one agent.
 */
public final class TopicFields {
    /** Records that filters may be asked about at the same time: what something is, and what it was. */
    static final int RECORDS_MAX = 2;

    private static final int KNOWN_COUNT = 256;

    private final MessageFormat format;
    private final Workspace workspace;
    private final GrowingTable<Field> fields = new GrowingTable<>();
    private final IntArrayList freeSlots = new IntArrayList();
    private @Nullable GrowableReader[] readers = new GrowableReader[0];
    private MatchedRecord[] records = new MatchedRecord[0];
    private boolean readsHeaders;
    private long changeCount;

    /** Of filters of several fields, some of the last ones by their hashes; made for the first one. */
    private int[] @Nullable [] knownSlots = {};

    /**
     * Starts without fields.
     *
     * @param format of the topic's messages.
     */
    public TopicFields(final MessageFormat format) {
        this(format, new Workspace());
    }

    /** Starts without fields, among other topics of the same agent. */
    TopicFields(final MessageFormat format, final Workspace workspace) {
        this.format = format;
        this.workspace = workspace;
    }

    /** What the filters share. */
    Workspace workspace() {
        return workspace;
    }

    /**
     * One of the records that filters may be asked about at the same time.
     *
     * @param index of the record, 0 or 1. There are as many readers as records that were read.
     * @return always the same one.
     */
    public MatchedRecord record(final int index) {
        if (index >= records.length) {
            final int known = records.length;
            records = Arrays.copyOf(records, index + 1);
            readers = Arrays.copyOf(readers, index + 1);
            for (int i = known; i < records.length; i++) {
                records[i] = new MatchedRecord(this, i);
            }
        }
        return records[index];
    }

    /** The reader of records; replaced once a filter has asked for a header. */
    GrowableReader reader(final int index) {
        final GrowableReader reader = readers[index];
        return reader == null ? addReader(index) : reader;
    }

    private GrowableReader addReader(final int index) {
        final GrowableReader reader = readsHeaders ? RecordReader.of(format.newReader()) : format.newReader();
        fields.forEach(field -> reader.add(field.slots[0], field.path));
        readers[index] = reader;
        return reader;
    }

    /** Whether filters have asked for headers, so that records are to be read with theirs. */
    boolean readsHeaders() {
        return readsHeaders;
    }

    /** How often a filter came or went: what was read before has to be read again. */
    long changeCount() {
        return changeCount;
    }

    /**
     * Takes up the fields of a filter.
     *
     * @param ofFilter fields that it has numbered for itself.
     * @return the slots in which they are read, by these numbers; not to be changed.
     */
    public int[] take(final FieldSet ofFilter) {
        changeCount++;
        if (ofFilter.count() == 1) {
            return take(ofFilter.path(0)).slots;
        }
        final int[] slots = new int[ofFilter.count()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = take(ofFilter.path(i)).slots[0];
        }
        return known(slots);
    }

    /** Equal slots of the filter before, if they are still known: many filters are about the same fields. */
    private int[] known(final int[] slots) {
        if (knownSlots.length == 0) {
            knownSlots = new int[KNOWN_COUNT][];
        }
        final int hash = Arrays.hashCode(slots);
        final int place = (hash ^ hash >>> 16) & KNOWN_COUNT - 1;
        final int[] present = knownSlots[place];
        if (present != null && Arrays.equals(present, slots)) {
            return present;
        }
        knownSlots[place] = slots;
        return slots;
    }

    private @Nullable Field find(final FieldPath path) {
        final int hash = path.hashCode();
        Field field = fields.head(hash);
        while (field != null && !(field.hash == hash && field.path.equals(path))) {
            field = field.nextInChain();
        }
        return field;
    }

    private Field take(final FieldPath path) {
        Field field = find(path);
        if (field == null) {
            final int slot = freeSlots.isEmpty() ? fields.size() : freeSlots.removeAt(freeSlots.size() - 1);
            field = new Field(path, slot);
            fields.add(field);
            if (path.isHeader() && !readsHeaders) {
                readsHeaders = true;
                Arrays.fill(readers, null);
            }
            for (final GrowableReader reader : readers) {
                if (reader != null) {
                    reader.add(slot, path);
                }
            }
        }
        field.useCount++;
        return field;
    }

    /**
     * A filter for which fields were added has ended.
     *
     * @param ofFilter the same fields.
     */
    public void give(final FieldSet ofFilter) {
        changeCount++;
        for (int i = 0; i < ofFilter.count(); i++) {
            give(ofFilter.path(i));
        }
    }

    private void give(final FieldPath path) {
        final Field field = Objects.requireNonNull(find(path));
        if (--field.useCount > 0) {
            return;
        }
        fields.remove(field);
        freeSlots.addInt(field.slots[0]);
        for (final GrowableReader reader : readers) {
            if (reader != null) {
                reader.remove(field.slots[0], path);
            }
        }
        if (fields.size() == 0) {
            // Readers are long, and a topic may never be asked about again.
            readsHeaders = false;
            Arrays.fill(readers, null);
        }
    }

    /** A field with its slot, and how many filters read it. */
    private static final class Field implements Chained<Field> {
        private final FieldPath path;
        private final int hash;

        /** Of all filters that read this field alone. */
        private final int[] slots;

        private int useCount;
        private @Nullable Field nextInChain;

        Field(final FieldPath path, final int slot) {
            this.path = path;
            hash = path.hashCode();
            slots = new int[] {slot};
        }

        @Override
        public int chainHash() {
            return hash;
        }

        @Override
        public @Nullable Field nextInChain() {
            return nextInChain;
        }

        @Override
        public void nextInChain(final @Nullable Field next) {
            nextInChain = next;
        }
    }
}
