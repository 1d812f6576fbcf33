package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import io.penstock.format.ValidatingReader;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Validates a message, and knows where its fields are when it is done. */
final class JsonValidatingReader extends JsonFields implements ValidatingReader {
    private final JsonPlaces places;
    private final JsonValidator validator;
    /** Values by slot of the fields that are to be there once. */
    private final KnownBytes[] values;

    private boolean areRemembered;

    /**
     * Makes one.
     *
     * @param fieldSet    of the fields.
     * @param uniqueCount how many of them, the first ones, are to be there once at most.
     */
    JsonValidatingReader(final FieldSet fieldSet, final int uniqueCount) {
        super(fieldSet.count());
        final FieldNode root = FieldNode.rootOf(fieldSet);
        for (int slot = 0; slot < fields.length; slot++) {
            final FieldPath path = fieldSet.path(slot);
            fields[slot] = new JsonField(bytes);
            if (slot < uniqueCount && !path.isHeader()) {
                root.unique(path);
            }
        }
        values = new KnownBytes[uniqueCount];
        Arrays.setAll(values, slot -> new KnownBytes());
        places = new JsonPlaces(bytes, root, fields);
        validator = new JsonValidator(bytes, places);
    }

    @Override
    public @Nullable String validate(final DirectBuffer buffer, final int offset, final int length) {
        final String wrong = validator.validate(buffer, offset, length);
        message = places.message();
        return wrong;
    }

    @Override
    public boolean areUnique() {
        return places.areUnique();
    }

    @Override
    public void remember() {
        areRemembered = true;
        for (int slot = 0; slot < values.length && areRemembered; slot++) {
            areRemembered = fields[slot].remember(values[slot], message);
        }
    }

    @Override
    public boolean areRemembered() {
        for (int slot = 0; slot < values.length; slot++) {
            if (!fields[slot].is(values[slot], message)) {
                return false;
            }
        }
        return areRemembered;
    }

    /** Where the fields of a valid message are is only known when all of it was passed. */
    @Override
    public void wrap(final DirectBuffer buffer, final int offset, final int length) {
        validate(buffer, offset, length);
    }

    @Override
    void read(final JsonField field) {
        field.readFound(message);
    }
}
