package io.penstock.format;

import io.penstock.format.header.Headers;
import java.util.Arrays;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of messages, and headers in the same set of slots. A header is looked for once a message, when it is asked
 * for first. Texts are {@link FieldType#UNTYPED}, so that they compare with numbers too; bytes compare with nothing.
 * Confined to one agent; reading allocates nothing.
 */
public final class RecordReader implements GrowableReader, ValidatingReader {
    private static final int NOT_LOOKED_FOR = -2;

    private final FieldReader fields;
    private final @Nullable GrowableReader growable;
    private final @Nullable ValidatingReader validating;
    private final Headers headers = new Headers();
    private boolean isGiven;

    /** The name of the header in each slot; null where there is a field. */
    private @Nullable String[] names;

    /** The place of the header of each slot in its block. */
    private int[] places;

    /** The slots of headers, and those that the message has, of fields and headers. */
    private final IntArrayList headerSlots = new IntArrayList();

    private final IntArrayList presentSlots = new IntArrayList();

    private RecordReader(
            final FieldReader fields,
            final @Nullable GrowableReader growable,
            final @Nullable ValidatingReader validating,
            final @Nullable String[] names) {
        this.fields = fields;
        this.growable = growable;
        this.validating = validating;
        this.names = names;
        places = new int[names.length];
    }

    /**
     * Makes a reader of fields and headers.
     *
     * @param format of the messages.
     * @param set    of fields and headers.
     * @return the format's own reader when there are no headers among them.
     */
    public static FieldReader of(final MessageFormat format, final FieldSet set) {
        final FieldReader fields = format.newReader(set);
        if (!set.hasHeaders()) {
            return fields;
        }
        return new RecordReader(fields, null, null, names(set));
    }

    private static @Nullable String[] names(final FieldSet set) {
        final @Nullable String[] names = new String[set.count()];
        for (int slot = 0; slot < names.length; slot++) {
            names[slot] = set.path(slot).headerName();
        }
        return names;
    }

    /**
     * Makes what validates messages and reads some of their fields and headers.
     *
     * @param format      of the messages.
     * @param set         of fields and headers.
     * @param uniqueCount how many of them, the first ones, a message is to have once at most.
     * @return the format's own when there are no headers among them.
     */
    public static ValidatingReader validating(final MessageFormat format, final FieldSet set, final int uniqueCount) {
        final ValidatingReader fields = format.newValidatingReader(set, uniqueCount);
        return set.hasHeaders() ? new RecordReader(fields, null, fields, names(set)) : fields;
    }

    /**
     * Adds headers to a reader of fields that come and go.
     *
     * @param fields reader of the format, which goes on being used through this one.
     * @return a reader of no headers so far.
     */
    public static RecordReader of(final GrowableReader fields) {
        return new RecordReader(fields, fields, null, new String[0]);
    }

    @Override
    public void add(final int slot, final FieldPath path) {
        final String name = path.headerName();
        if (slot >= names.length) {
            names = Arrays.copyOf(names, Math.max(slot + 1, 2 * names.length));
            places = Arrays.copyOf(places, names.length);
        }
        names[slot] = name;
        places[slot] = NOT_LOOKED_FOR;
        if (name != null) {
            headerSlots.addInt(slot);
        } else if (growable != null) {
            growable.add(slot, path);
        }
    }

    @Override
    public void remove(final int slot, final FieldPath path) {
        if (path.headerName() == null && growable != null) {
            growable.remove(slot, path);
        } else {
            names[slot] = null;
            headerSlots.removeInt(slot);
        }
    }

    @Override
    public int presentCount() {
        final int fieldCount = growable == null ? -1 : growable.presentCount();
        if (growable == null || fieldCount < 0) {
            return -1;
        }
        presentSlots.clear();
        for (int i = 0; i < fieldCount; i++) {
            presentSlots.addInt(growable.presentSlot(i));
        }
        for (int i = 0, count = headerSlots.size(); i < count; i++) {
            final int slot = headerSlots.getInt(i);
            if (type(slot) != FieldType.ABSENT) {
                presentSlots.addInt(slot);
            }
        }
        return presentSlots.size();
    }

    @Override
    public int presentSlot(final int index) {
        return presentSlots.getInt(index);
    }

    @Override
    public void headers(final DirectBuffer buffer, final int offset, final int length) {
        headers.wrap(buffer, offset, length);
        Arrays.fill(places, NOT_LOOKED_FOR);
        isGiven = true;
    }

    @Override
    public void wrap(final DirectBuffer buffer, final int offset, final int length) {
        fields.wrap(buffer, offset, length);
        begin(buffer, offset);
    }

    private void begin(final DirectBuffer buffer, final int offset) {
        if (!isGiven) {
            headers(buffer, offset, 0);
        }
        isGiven = false;
    }

    @Override
    public @Nullable String validate(final DirectBuffer buffer, final int offset, final int length) {
        begin(buffer, offset);
        return Objects.requireNonNull(validating).validate(buffer, offset, length);
    }

    @Override
    public boolean areUnique() {
        return Objects.requireNonNull(validating).areUnique();
    }

    /** Where the header of a slot is; negative when there is none. */
    private int place(final int slot, final String name) {
        int place = places[slot];
        if (place == NOT_LOOKED_FOR) {
            place = headers.find(name);
            places[slot] = place;
        }
        return place;
    }

    private @Nullable String name(final int slot) {
        return slot < names.length ? names[slot] : null;
    }

    @Override
    public FieldType type(final int slot) {
        final String name = name(slot);
        if (name == null) {
            return fields.type(slot);
        }
        final int place = place(slot, name);
        if (place < 0) {
            return FieldType.ABSENT;
        }
        return switch (headers.typeAt(place)) {
            case TEXT -> FieldType.UNTYPED;
            case LONG -> FieldType.LONG;
            case BYTES -> FieldType.OBJECT;
        };
    }

    @Override
    public boolean booleanValue(final int slot) {
        return fields.booleanValue(slot);
    }

    @Override
    public long longValue(final int slot) {
        final String name = name(slot);
        return name == null ? fields.longValue(slot) : headers.longAt(place(slot, name));
    }

    @Override
    public double doubleValue(final int slot) {
        final String name = name(slot);
        return name == null ? fields.doubleValue(slot) : headers.longAt(place(slot, name));
    }

    @Override
    public DirectBuffer stringBuffer(final int slot) {
        return name(slot) == null ? fields.stringBuffer(slot) : headers.buffer();
    }

    @Override
    public int stringOffset(final int slot) {
        final String name = name(slot);
        return name == null ? fields.stringOffset(slot) : headers.textOffset(place(slot, name));
    }

    @Override
    public int stringLength(final int slot) {
        final String name = name(slot);
        return name == null ? fields.stringLength(slot) : headers.textLength(place(slot, name));
    }

    @Override
    public int elementCount(final int slot) {
        return name(slot) == null ? fields.elementCount(slot) : 0;
    }

    @Override
    public void element(final int slot, final int index) {
        if (name(slot) == null) {
            fields.element(slot, index);
        }
    }
}
