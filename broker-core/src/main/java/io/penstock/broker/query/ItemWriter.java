package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.SelectSyntax;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageWriter;
import java.util.Collection;
import java.util.stream.IntStream;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Writes the items of a select list as the members of a message. Confined to one agent. */
public final class ItemWriter {
    private final String[] names;
    private final Expression[] items;
    private final MessageWriter writer;

    private ItemWriter(final String[] names, final Expression[] items, final MessageWriter writer) {
        this.names = names;
        this.items = items;
        this.writer = writer;
    }

    ItemWriter(final SelectSyntax syntax, final FieldSet fields, final MessageFormat format) {
        names = syntax.names().toArray(new String[0]);
        items = new Expression[names.length];
        for (int i = 0; i < names.length; i++) {
            items[i] = syntax.newItem(i, fields);
        }
        writer = writerOf(format);
    }

    /**
     * Makes a writer for what is no message of its own, such as a pair of two.
     *
     * @param list   without aggregates.
     * @param fields to which those are added that the items read.
     * @param format of what is written.
     * @return the writer.
     * @throws IllegalArgumentException when the format has no fields.
     */
    public static ItemWriter of(final SelectList list, final FieldSet fields, final MessageFormat format) {
        return new ItemWriter(list.syntax(), fields, format);
    }

    /**
     * The same for some of the items.
     *
     * @param wanted names of items.
     * @return a writer that leaves the others out, to be used by the same agent.
     */
    public ItemWriter only(final Collection<String> wanted) {
        final int[] kept = IntStream.range(0, names.length)
                .filter(i -> wanted.contains(names[i]))
                .toArray();
        return new ItemWriter(
                IntStream.of(kept).mapToObj(i -> names[i]).toArray(String[]::new),
                IntStream.of(kept).mapToObj(i -> items[i]).toArray(Expression[]::new),
                writer);
    }

    /**
     * A longer buffer in place of one in which a row has no room.
     *
     * @param present   whose contents are not kept.
     * @param lengthMax of a row, in bytes.
     * @return a buffer twice as long, and no longer than that; null when the present one is as long.
     */
    public static @Nullable UnsafeBuffer longer(final UnsafeBuffer present, final int lengthMax) {
        return present.capacity() >= lengthMax
                ? null
                : new UnsafeBuffer(new byte[(int) Math.min(lengthMax, 2L * present.capacity())]);
    }

    private static MessageWriter writerOf(final MessageFormat format) {
        final MessageWriter writer = format.newWriter();
        if (writer == null) {
            throw new IllegalArgumentException("select: messages have no fields to write: " + format.name());
        }
        return writer;
    }

    /**
     * Writes the items of what a reader is positioned on.
     *
     * @param values of the fields, in the slots of their set.
     * @param to     where the result goes.
     * @param offset of its first byte.
     * @param length that it may have, in bytes.
     * @return length of the result in bytes, or a negative number when it does not fit.
     */
    public int write(final FieldReader values, final MutableDirectBuffer to, final int offset, final int length) {
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
