package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.SelectSyntax;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageWriter;
import org.agrona.MutableDirectBuffer;

/** Writes the items of a select list as the members of a message. */
final class ItemWriter {
    private final String[] names;
    private final Expression[] items;
    private final MessageWriter writer;

    ItemWriter(final SelectSyntax syntax, final FieldSet fields, final MessageFormat format) {
        names = syntax.names().toArray(new String[0]);
        items = new Expression[names.length];
        for (int i = 0; i < names.length; i++) {
            items[i] = syntax.newItem(i, fields);
        }
        writer = writerOf(format);
    }

    private static MessageWriter writerOf(final MessageFormat format) {
        final MessageWriter writer = format.newWriter();
        if (writer == null) {
            throw new IllegalArgumentException("select: messages have no fields to write: " + format.name());
        }
        return writer;
    }

    /** Writes the items of what a reader is positioned on, and returns the length or a negative number. */
    int write(final FieldReader values, final MutableDirectBuffer to, final int offset, final int length) {
        writer.wrap(to, offset, length);
        for (int i = 0; i < items.length; i++) {
            final Expression item = items[i];
            item.evaluate(values);
            put(names[i], item);
        }
        return writer.end();
    }

    private void put(final String name, final Expression item) {
        switch (item.type()) {
            case NULL -> writer.putNull(name);
            case BOOLEAN -> writer.putBoolean(name, item.booleanValue());
            case LONG -> writer.putLong(name, item.longValue());
            case DOUBLE -> writer.putDouble(name, item.doubleValue());
            case TEXT -> writer.putText(name, item.textBuffer(), item.textOffset(), item.textLength());
        }
    }
}
