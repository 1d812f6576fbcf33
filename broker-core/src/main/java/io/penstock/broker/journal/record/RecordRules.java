package io.penstock.broker.journal.record;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_COMMIT;

import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The conditions under which bytes in a file are the next record of a log, except the checksum. */
public final class RecordRules {
    private RecordRules() {}

    /**
     * Checks a header, which the buffer holds as a whole.
     *
     * @param buffer       with the bytes.
     * @param offset       of the first.
     * @param room         bytes from there to the end of the file.
     * @param nextSequence of the log.
     * @param epoch        of the record before.
     * @return what is wrong, or null.
     */
    public static @Nullable String check(
            final DirectBuffer buffer, final int offset, final long room, final long nextSequence, final int epoch) {
        final int length = RecordDescriptor.length(buffer, offset);
        if (length < HEADER_LENGTH || length > room) {
            return "its length is " + length;
        }
        final long sequence = RecordDescriptor.sequence(buffer, offset);
        final boolean isCommit = RecordDescriptor.type(buffer, offset) == TYPE_COMMIT;
        if (isCommit ? sequence >= nextSequence : sequence != nextSequence) {
            return "its sequence is " + sequence;
        }
        final int stamped = RecordDescriptor.epoch(buffer, offset);
        return stamped < epoch ? "its epoch is " + stamped + ", after " + epoch : null;
    }
}
