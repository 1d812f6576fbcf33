package io.penstock.broker.journal.record;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The records that are written together, and the commit record that describes them. Confined to the journaler. */
public final class RecordGroup {
    private static final long NONE = -1;

    private final UnsafeBuffer commit = new UnsafeBuffer(ByteBuffer.allocateDirect(HEADER_LENGTH));

    /** Where it begins in the file, up to where its sectors were counted, and how many are zeros. */
    private long position = NONE;

    private long countedPosition;
    private int zeroSectors;

    /** Whether there is any record in it. */
    public boolean isOpen() {
        return position != NONE;
    }

    public void begin(final long firstPosition) {
        position = firstPosition;
        countedPosition = firstPosition;
        zeroSectors = 0;
    }

    /**
     * Counts the sectors that are whole, while they are still in memory.
     *
     * @param staging         bytes of the file.
     * @param stagingPosition of the first of them in the file.
     * @param to              position up to which the group has come.
     */
    public void countZeroSectors(final DirectBuffer staging, final long stagingPosition, final long to) {
        for (long next = CommitRecord.sectorEnd(countedPosition);
                next <= to;
                next = CommitRecord.sectorEnd(countedPosition)) {
            final int length = (int) (next - countedPosition);
            if (CommitRecord.isZero(staging, (int) (countedPosition - stagingPosition), length)) {
                zeroSectors++;
            }
            countedPosition = next;
        }
    }

    /**
     * Ends it; its sectors are counted.
     *
     * @param endPosition     after its last record.
     * @param durableSequence of the newest record on stable storage.
     * @param lastSequence    of its last record.
     * @param timestampNs     now.
     * @param epoch           of the run.
     * @return the commit record, to be written after it.
     */
    public UnsafeBuffer end(
            final long endPosition,
            final long durableSequence,
            final long lastSequence,
            final long timestampNs,
            final int epoch) {
        CommitRecord.write(
                commit, durableSequence, lastSequence, (int) (endPosition - position), zeroSectors, timestampNs, epoch);
        position = NONE;
        return commit;
    }
}
