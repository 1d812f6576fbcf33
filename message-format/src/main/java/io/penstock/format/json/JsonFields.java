package io.penstock.format.json;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import org.agrona.DirectBuffer;

/** The values of fields by slot, each read when it is asked for. Confined to one agent. */
abstract class JsonFields implements FieldReader {
    final JsonBytes bytes = new JsonBytes();
    /** Fields by slot; a slot without a field has one that nobody asks for. */
    JsonField[] fields;
    /** The number of the message. */
    long message;

    /** Makes as many slots. */
    JsonFields(final int count) {
        fields = new JsonField[count];
    }

    /** Reads a field that was not read in this message, or notes that it is absent. */
    abstract void read(JsonField field);

    @Override
    public final FieldType type(final int slot) {
        return value(slot).type();
    }

    @Override
    public final boolean booleanValue(final int slot) {
        return value(slot).booleanValue();
    }

    @Override
    public final long longValue(final int slot) {
        return value(slot).longValue();
    }

    @Override
    public final double doubleValue(final int slot) {
        return value(slot).doubleValue();
    }

    @Override
    public final DirectBuffer stringBuffer(final int slot) {
        return value(slot).stringBuffer();
    }

    @Override
    public final int stringOffset(final int slot) {
        return value(slot).stringOffset();
    }

    @Override
    public final int stringLength(final int slot) {
        return value(slot).stringLength();
    }

    @Override
    public final int elementCount(final int slot) {
        return field(slot).elementCount();
    }

    @Override
    public final void element(final int slot, final int index) {
        field(slot).select(index);
    }

    private JsonValue value(final int slot) {
        return field(slot).selected();
    }

    private JsonField field(final int slot) {
        final JsonField field = fields[slot];
        if (!field.isReadIn(message)) {
            read(field);
        }
        return field;
    }
}
