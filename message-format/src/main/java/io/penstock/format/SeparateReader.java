package io.penstock.format;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Validates, reads and looks for what stands twice one after the other, for formats that cannot do it in one pass. */
final class SeparateReader implements ValidatingReader {
    private final MessageValidator validator;
    private final FieldReader reader;
    private final UniqueFields uniqueFields;

    private DirectBuffer buffer = new UnsafeBuffer(0, 0);
    private int offset;
    private int length;

    /**
     * Makes one.
     *
     * @param format      of the messages.
     * @param fields      to be read.
     * @param uniqueCount how many of them, the first ones, are to be there once at most.
     */
    SeparateReader(final MessageFormat format, final FieldSet fields, final int uniqueCount) {
        final FieldSet unique = new FieldSet();
        for (int slot = 0; slot < uniqueCount; slot++) {
            unique.slotOf(fields.path(slot));
        }
        validator = format.newValidator();
        reader = format.newReader(fields);
        uniqueFields = uniqueCount == 0 ? UniqueFields.ALWAYS : format.newUniqueFields(unique);
    }

    @Override
    public @Nullable String validate(final DirectBuffer message, final int messageOffset, final int messageLength) {
        final String wrong = validator.validate(message, messageOffset, messageLength);
        if (wrong == null) {
            wrap(message, messageOffset, messageLength);
        }
        return wrong;
    }

    @Override
    public boolean areUnique() {
        return uniqueFields.areUnique(buffer, offset, length);
    }

    @Override
    public void wrap(final DirectBuffer message, final int messageOffset, final int messageLength) {
        buffer = message;
        offset = messageOffset;
        length = messageLength;
        reader.wrap(message, messageOffset, messageLength);
    }

    @Override
    public FieldType type(final int slot) {
        return reader.type(slot);
    }

    @Override
    public boolean booleanValue(final int slot) {
        return reader.booleanValue(slot);
    }

    @Override
    public long longValue(final int slot) {
        return reader.longValue(slot);
    }

    @Override
    public double doubleValue(final int slot) {
        return reader.doubleValue(slot);
    }

    @Override
    public DirectBuffer stringBuffer(final int slot) {
        return reader.stringBuffer(slot);
    }

    @Override
    public int stringOffset(final int slot) {
        return reader.stringOffset(slot);
    }

    @Override
    public int stringLength(final int slot) {
        return reader.stringLength(slot);
    }

    @Override
    public int elementCount(final int slot) {
        return reader.elementCount(slot);
    }

    @Override
    public void element(final int slot, final int index) {
        reader.element(slot, index);
    }
}
