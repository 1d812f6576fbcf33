package io.penstock.broker.shard.state;

import io.penstock.broker.query.join.JoinedReader;
import io.penstock.broker.shard.state.join.JoinedPairs;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.JoinRule;
import io.penstock.format.FieldSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads pairs of records. What is read of one record is not read again for the next pair that it is in. Owned by the
 * sequencer.
 */
final class JoinReading {
    private final StateTopic left;
    private final StateTopic right;
    private final JoinedReader reader;
    private final UnsafeBuffer leftMessage = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer rightMessage = new UnsafeBuffer(0, 0);

    /** The versions that the reader is at; 0 for none. */
    private long leftRead;

    private long rightRead;

    JoinReading(final FieldSet fields, final JoinRule join, final StateTopic left, final StateTopic right) {
        this.left = left;
        this.right = right;
        reader = new JoinedReader(fields, join.leftName(), left.topic.format(), join.rightName(), right.topic.format());
    }

    /** Moves to a left record that is there, and a right one that is there or {@link JoinedPairs#NONE}. */
    JoinedReader read(final int leftRow, final int rightRow) {
        final long leftVersion = left.store.newest(leftRow);
        final long rightVersion = rightRow == JoinedPairs.NONE ? 0 : right.store.newest(rightRow);
        if (leftVersion != leftRead) {
            Version.wrapMessage(leftMessage, leftVersion);
            reader.left(leftMessage, 0, leftMessage.capacity());
        }
        if (rightVersion == 0) {
            reader.noRight();
        } else if (rightVersion != rightRead) {
            Version.wrapMessage(rightMessage, rightVersion);
            reader.right(rightMessage, 0, rightMessage.capacity());
        }
        leftRead = leftVersion;
        rightRead = rightVersion;
        return reader;
    }

    /** Records may have changed since the last call: others may lie where they were. */
    void forget() {
        leftRead = 0;
        rightRead = 0;
    }
}
