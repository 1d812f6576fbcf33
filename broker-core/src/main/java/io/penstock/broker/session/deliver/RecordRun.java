package io.penstock.broker.session.deliver;

import io.penstock.protocol.RecordDescriptor;
import org.agrona.concurrent.UnsafeBuffer;

/** What is in a run of records, one behind the other as they lie in the log, with padding between them. */
final class RecordRun {
    private RecordRun() {}

    /** How many bytes the first records of a run have that use up some credit; the last of them may take more. */
    static int firstLength(final UnsafeBuffer log, final int offset, final int runLength, final long credit) {
        if (credit >= runLength) {
            return runLength;
        }
        int length = recordLength(log, offset);
        while (length < runLength && (length < credit || isPadding(log, offset + length))) {
            length += recordLength(log, offset + length);
        }
        return Math.min(length, runLength);
    }

    /** How many records it has. */
    static int count(final UnsafeBuffer log, final int offset, final int runLength) {
        int count = 0;
        for (int at = 0; at < runLength; at += recordLength(log, offset + at)) {
            count += isPadding(log, offset + at) ? 0 : 1;
        }
        return count;
    }

    private static boolean isPadding(final UnsafeBuffer log, final int offset) {
        return RecordDescriptor.type(log, offset) == RecordDescriptor.TYPE_PADDING;
    }

    /** With its padding. */
    private static int recordLength(final UnsafeBuffer log, final int offset) {
        return RecordDescriptor.alignedLength(RecordDescriptor.length(log, offset));
    }
}
