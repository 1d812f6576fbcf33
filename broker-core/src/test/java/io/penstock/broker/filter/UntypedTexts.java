package io.penstock.broker.filter;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import java.util.Map;
import org.agrona.DirectBuffer;

/** Properties as a format without types gives them: all texts are untyped. */
final class UntypedTexts implements FieldReader {
    private final TypedProperties properties;

    UntypedTexts(final FieldSet fields, final Map<String, ?> values) {
        properties = new TypedProperties(fields);
        properties.wrap(values);
    }

    static boolean match(final String text, final Map<String, ?> values) {
        final Filter filter = Filters.compile(text);
        return filter.matches(new UntypedTexts(filter.fields(), values));
    }

    static char truth(final String text, final Map<String, ?> values) {
        return match(text, values) ? 'T' : match("NOT (" + text + ")", values) ? 'F' : 'U';
    }

    @Override
    public void wrap(final DirectBuffer buffer, final int offset, final int length) {
        properties.wrap(buffer, offset, length);
    }

    @Override
    public FieldType type(final int slot) {
        final FieldType type = properties.type(slot);
        return type == FieldType.STRING ? FieldType.UNTYPED : type;
    }

    @Override
    public boolean booleanValue(final int slot) {
        return properties.booleanValue(slot);
    }

    @Override
    public long longValue(final int slot) {
        return properties.longValue(slot);
    }

    @Override
    public double doubleValue(final int slot) {
        return properties.doubleValue(slot);
    }

    @Override
    public DirectBuffer stringBuffer(final int slot) {
        return properties.stringBuffer(slot);
    }

    @Override
    public int stringOffset(final int slot) {
        return properties.stringOffset(slot);
    }

    @Override
    public int stringLength(final int slot) {
        return properties.stringLength(slot);
    }

    @Override
    public int elementCount(final int slot) {
        return properties.elementCount(slot);
    }

    @Override
    public void element(final int slot, final int index) {
        properties.element(slot, index);
    }
}
