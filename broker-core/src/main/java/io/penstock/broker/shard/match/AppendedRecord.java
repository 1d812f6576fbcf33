package io.penstock.broker.shard.match;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;

import io.penstock.broker.shard.log.LogAppender;
import io.penstock.protocol.RecordDescriptor;

/** The record that is dispatched, worked out once for all its subscriptions. Owned by the sequencer. */
final class AppendedRecord {
    long position;
    int alignedLength;
    int topicId;
    int offset;
    long sequence;

    /** Moves to the last record of a log. */
    void wrap(
            final LogAppender log,
            final int topic,
            final long recordPosition,
            final int payloadLength,
            final int trailerLength) {
        position = recordPosition;
        alignedLength = RecordDescriptor.alignedLength(HEADER_LENGTH + payloadLength + trailerLength);
        topicId = topic;
        offset = log.window().offset(recordPosition);
        sequence = log.lastSequence();
    }

    /** Adds it to a run. Returns false when the run has to be enqueued before. */
    boolean addTo(final Run run) {
        if (run.isEmpty()) {
            run.startSequence(sequence);
        }
        return run.add(position, alignedLength, topicId, offset == 0);
    }
}
