package io.penstock.broker.session.send;

import static io.penstock.protocol.RecordDescriptor.CHECKSUM_OFFSET;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.LENGTH_OFFSET;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.topic.MessageCutter;
import io.penstock.format.FieldSelection;
import io.penstock.format.MessageFormat;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.transport.Connection;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies of records without fields that are hidden from a client. Records whose message is none of its format are left out.
 * Confined to one I/O agent; allocates nothing for a run that fits one unit.
 */
public final class CutRecords {
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final IdentityHashMap<MessageFormat, MessageCutter> cutters = new IdentityHashMap<>();
    private UnsafeBuffer copy = new UnsafeBuffer(0, 0);
    private int length;
    private int count;

    /**
     * Offers a frame's header and a copy of a run of records, which take no more than one unit.
     *
     * @param to           the connection.
     * @param header       of the frame.
     * @param run          buffer holding the records.
     * @param offset       of the first one.
     * @param runLength    of all of them in bytes.
     * @param format       of their messages.
     * @param hidden       fields that are left out.
     * @param isHeaderless whether the client knows no headers.
     * @return what the connection answered; when nothing is left, as if it had taken it.
     */
    public long offer(
            final Connection to,
            final DirectBuffer header,
            final DirectBuffer run,
            final int offset,
            final int runLength,
            final MessageFormat format,
            final FieldSelection hidden,
            final boolean isHeaderless) {
        if (to.isBlocked()) {
            return Connection.BACK_PRESSURED;
        }
        ensureCapacity(to.bestSendLength());
        final int headerLength = header.capacity();
        copy(run, offset, runLength, format, hidden, isHeaderless, copy, headerLength);
        if (length == 0) {
            return to.completedPosition();
        }
        copy.putBytes(0, header, 0, headerLength);
        return to.offer(copy, 0, headerLength + length, EMPTY, 0, 0, 0);
    }

    /** Makes a copy of one record, of any length; null when it is left out. */
    public @Nullable UnsafeBuffer copyOf(
            final DirectBuffer record,
            final int offset,
            final MessageFormat format,
            final FieldSelection hidden,
            final boolean isHeaderless) {
        final int recordLength = RecordDescriptor.length(record, offset);
        final UnsafeBuffer whole = new UnsafeBuffer(new byte[RecordDescriptor.alignedLength(recordLength)]);
        copy(record, offset, recordLength, format, hidden, isHeaderless, whole, 0);
        return length == 0 ? null : new UnsafeBuffer(whole, 0, RecordDescriptor.length(whole, 0));
    }

    /** Offers a part of such a copy, and a frame's header if there is one before it. */
    public long offerPart(
            final Connection to,
            final DirectBuffer header,
            final int headerLength,
            final DirectBuffer record,
            final int from,
            final int partLength,
            final int remaining) {
        ensureCapacity(to.bestSendLength());
        copy.putBytes(0, header, 0, headerLength);
        copy.putBytes(headerLength, record, from, partLength);
        length = RecordDescriptor.alignedLength(record.capacity());
        count = 1;
        return to.offer(copy, 0, headerLength + partLength, EMPTY, 0, 0, remaining);
    }

    /** The length of the records that were offered last, in bytes. */
    public int length() {
        return length;
    }

    /** How many records were offered last. */
    public int count() {
        return count;
    }

    private void copy(
            final DirectBuffer run,
            final int offset,
            final int runLength,
            final MessageFormat format,
            final FieldSelection hidden,
            final boolean isHeaderless,
            final MutableDirectBuffer to,
            final int toOffset) {
        final MessageCutter cutter = cutter(format);
        int end = toOffset;
        count = 0;
        for (int at = offset; at < offset + runLength; at += alignedLength(run, at)) {
            if (RecordDescriptor.type(run, at) != RecordDescriptor.TYPE_PADDING) {
                final int copied = copy(cutter, run, at, hidden, to, end);
                count += copied > 0 ? 1 : 0;
                end += copied;
            }
        }
        length = end - toOffset;
        if (isHeaderless && HeaderlessRecords.hasHeaders(to, toOffset, length)) {
            length = HeaderlessRecords.copy(to, toOffset, length, to, toOffset);
        }
    }

    /** Copies a record, and returns the room that the copy takes; 0 when it is left out. */
    private static int copy(
            final MessageCutter cutter,
            final DirectBuffer record,
            final int offset,
            final FieldSelection hidden,
            final MutableDirectBuffer to,
            final int toOffset) {
        final int messageLength = RecordDescriptor.messageLength(record, offset);
        final int trailerLength = RecordDescriptor.trailerLength(record, offset);
        final int cutLength =
                cutter.cut(record, offset + HEADER_LENGTH, messageLength, hidden, to, toOffset + HEADER_LENGTH);
        if (cutLength == MessageCutter.NOT_SHOWN) {
            return 0;
        }
        final int copyLength = HEADER_LENGTH + cutLength + trailerLength;
        final int room = RecordDescriptor.alignedLength(copyLength);
        to.putBytes(toOffset, record, offset, HEADER_LENGTH);
        to.putInt(toOffset + LENGTH_OFFSET, copyLength, LITTLE_ENDIAN);
        // It is of the whole message, and so would tell something of what is hidden.
        to.putInt(toOffset + CHECKSUM_OFFSET, 0, LITTLE_ENDIAN);
        to.putBytes(
                toOffset + HEADER_LENGTH + cutLength, record, offset + HEADER_LENGTH + messageLength, trailerLength);
        to.setMemory(toOffset + copyLength, room - copyLength, (byte) 0);
        return room;
    }

    private MessageCutter cutter(final MessageFormat format) {
        MessageCutter cutter = cutters.get(format);
        if (cutter == null) {
            cutter = new MessageCutter(format);
            cutters.put(format, cutter);
        }
        return cutter;
    }

    private void ensureCapacity(final int unit) {
        if (copy.capacity() < unit) {
            copy = new UnsafeBuffer(ByteBuffer.allocateDirect(unit));
        }
    }

    private static int alignedLength(final DirectBuffer record, final int offset) {
        return RecordDescriptor.alignedLength(RecordDescriptor.length(record, offset));
    }
}
