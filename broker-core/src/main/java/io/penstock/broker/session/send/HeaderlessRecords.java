package io.penstock.broker.session.send;

import static io.penstock.protocol.RecordDescriptor.FLAGS_OFFSET;
import static io.penstock.protocol.RecordDescriptor.FLAG_HEADERS;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.LENGTH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TRAILER_LENGTH_OFFSET;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Records for clients that speak version 1 of the protocol, and so know no headers. */
public final class HeaderlessRecords {
    private HeaderlessRecords() {}

    /** Whether there are headers in a run of records. */
    public static boolean hasHeaders(final DirectBuffer run, final int offset, final int length) {
        for (int at = offset; at < offset + length; at += alignedLength(run, at)) {
            if (RecordDescriptor.headersLength(run, at) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Copies a run without headers, which may be to its own place.
     *
     * @return length of the copy in bytes.
     */
    public static int copy(
            final DirectBuffer run,
            final int offset,
            final int length,
            final MutableDirectBuffer to,
            final int toOffset) {
        int end = toOffset;
        int next;
        for (int at = offset; at < offset + length; at = next) {
            next = at + alignedLength(run, at);
            final int copyLength = length(run, at);
            copy(run, at, 0, copyLength, to, end);
            end += RecordDescriptor.alignedLength(copyLength);
        }
        return end - toOffset;
    }

    /** The length of a record without its headers and its padding. */
    public static int length(final DirectBuffer record, final int offset) {
        return RecordDescriptor.length(record, offset) - RecordDescriptor.headersLength(record, offset);
    }

    /** Copies a part of a record without its headers. The first part has the record's header at least. */
    static void copy(
            final DirectBuffer record,
            final int offset,
            final int from,
            final int length,
            final MutableDirectBuffer to,
            final int toOffset) {
        final int headersLength = RecordDescriptor.headersLength(record, offset);
        final int headersAt = HEADER_LENGTH + RecordDescriptor.messageLength(record, offset);
        final int flags = RecordDescriptor.flags(record, offset);
        final int wholeLength = RecordDescriptor.length(record, offset) - headersLength;
        final int trailerLength = RecordDescriptor.trailerLength(record, offset) - headersLength;
        final int beforeLength = Math.max(0, Math.min(length, headersAt - from));
        to.putBytes(toOffset, record, offset + from, beforeLength);
        to.putBytes(
                toOffset + beforeLength, record, offset + from + beforeLength + headersLength, length - beforeLength);
        if (from == 0 && headersLength > 0) {
            to.putInt(toOffset + LENGTH_OFFSET, wholeLength, LITTLE_ENDIAN);
            to.putByte(toOffset + FLAGS_OFFSET, (byte) (flags & ~FLAG_HEADERS));
            to.putShort(toOffset + TRAILER_LENGTH_OFFSET, (short) trailerLength, LITTLE_ENDIAN);
        }
    }

    private static int alignedLength(final DirectBuffer record, final int offset) {
        return RecordDescriptor.alignedLength(RecordDescriptor.length(record, offset));
    }
}
