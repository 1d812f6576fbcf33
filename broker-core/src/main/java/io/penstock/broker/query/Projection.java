package io.penstock.broker.query;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import java.util.Collection;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the items of a select list for one message at a time. Confined to one agent; projecting allocates
 * nothing but what the format's writer does.
 */
public final class Projection {
    /** Result of {@link #project} for a message that does not fit. */
    public static final int TOO_LONG = -1;

    private final FieldReader reader;
    private final @Nullable ItemWriter items;

    /**
     * Prepares to project.
     *
     * @param list   without aggregates.
     * @param format of the messages, and of what is written.
     * @throws IllegalArgumentException when the list has aggregates, or has items and the format no fields.
     */
    public Projection(final SelectList list, final MessageFormat format) {
        if (list.isAggregate()) {
            throw new IllegalArgumentException(
                    "projection: not of single messages: " + list.text() + " (use an Aggregation)");
        }
        final FieldSet fields = list.fields();
        this.items = list.names().isEmpty() ? null : new ItemWriter(list.syntax(), fields, format);
        this.reader = RecordReader.of(format, fields);
    }

    private Projection(final FieldReader reader, final @Nullable ItemWriter items) {
        this.reader = reader;
        this.items = items;
    }

    /**
     * The same for some of the items, and for the message as a whole if there are none.
     *
     * @param names of items.
     * @return a projection that leaves the others out and reads with this one, whose headers it has.
     */
    public Projection only(final Collection<String> names) {
        return new Projection(reader, items == null ? null : items.only(names));
    }

    /**
     * Gives the headers of the message that comes next. Without this call it has none.
     *
     * @param buffer holding a block of headers that was checked.
     * @param offset of its first byte.
     * @param length in bytes; 0 for no headers.
     */
    public void headers(final DirectBuffer buffer, final int offset, final int length) {
        reader.headers(buffer, offset, length);
    }

    /**
     * Writes what the list says of a message.
     *
     * @param message  holding a valid message.
     * @param offset   of its first byte.
     * @param length   in bytes.
     * @param to       where the result goes; may not be where the message is.
     * @param toOffset of the result's first byte.
     * @param toLength that the result may have, in bytes.
     * @return length of the result in bytes, or {@link #TOO_LONG}.
     */
    public int project(
            final DirectBuffer message,
            final int offset,
            final int length,
            final MutableDirectBuffer to,
            final int toOffset,
            final int toLength) {
        if (items == null) {
            return copy(message, offset, length, to, toOffset, toLength);
        }
        reader.wrap(message, offset, length);
        return items.write(reader, to, toOffset, toLength);
    }

    private static int copy(
            final DirectBuffer message,
            final int offset,
            final int length,
            final MutableDirectBuffer to,
            final int toOffset,
            final int toLength) {
        if (length > toLength) {
            return TOO_LONG;
        }
        to.putBytes(toOffset, message, offset, length);
        return length;
    }
}
