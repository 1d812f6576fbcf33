package io.penstock.broker.agent;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.FilterLimits;
import io.penstock.broker.format.FieldReader;
import io.penstock.broker.format.FieldSet;
import io.penstock.broker.journal.LogReader;
import io.penstock.broker.match.Descriptor;
import io.penstock.broker.match.DescriptorRing;
import io.penstock.broker.match.Interest;
import io.penstock.broker.match.Run;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.protocol.RecordDescriptor;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that reads the log itself, because its descriptors did not fit its ring, until it has caught up.
 * Confined to the replayer.
 */
final class Cursor {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final Interest interest;
    private final DescriptorRing ring;
    private final LogReader reader;
    private final TopicTable topics;
    private final long segmentMask;
    private final Run run = new Run();
    private @Nullable TopicReader[] readers = new TopicReader[0];
    private long limit = NO_LIMIT;
    private boolean attachAsked;
    private boolean attached;
    private boolean ended;

    Cursor(
            final Interest interest,
            final DescriptorRing ring,
            final LogReader reader,
            final TopicTable topics,
            final int segmentLength) {
        this.interest = interest;
        this.ring = ring;
        this.reader = reader;
        this.topics = topics;
        segmentMask = segmentLength - 1L;
    }

    Interest interest() {
        return interest;
    }

    /** Everything before this position was read and described. */
    long position() {
        return run.isEmpty() ? reader.position() : run.start();
    }

    /** Reads some of the log. Returns the bytes read; 0 when it has caught up or its ring is full. */
    long read(final long lengthLimit) {
        final long start = reader.position();
        if (!run.isEmpty() && !flush()) {
            return 0;
        }
        final long end = Math.min(limit, start + lengthLimit);
        while (reader.next(end)) {
            if (isWanted() && !add()) {
                break;
            }
        }
        flush();
        return reader.position() - start;
    }

    /** Whether to ask for the hand-over now: once, when no more than some bytes are left. */
    boolean shouldAttach(final long publishedPosition, final long distance) {
        return !attachAsked && publishedPosition - position() <= distance;
    }

    /**
     * The hand-over was asked for. From now on the sequencer may make the subscription live at any position not before
     * this one, so nothing more is read until it says which: it would come twice.
     */
    void onAttachAsked() {
        attachAsked = true;
        limit = reader.position();
    }

    /** The subscription is live from a position on: the cursor ends there. */
    void onAttached(final long position) {
        limit = position;
        attached = true;
    }

    /** Whether everything before the hand-over was described. */
    boolean isComplete() {
        return attached && run.isEmpty() && reader.position() >= limit;
    }

    /** Tells the I/O agent that the cursor is at its end; false when the ring has no room now. */
    boolean end() {
        ended = ring.offer(Descriptor.TYPE_CURSOR_END, interest.part(), interest.shard(), limit, 0, 0, 0);
        return ended;
    }

    boolean isEnded() {
        return ended;
    }

    /** Tells the I/O agent that the cursor's position is lost; false when the ring has no room now. */
    boolean fellBehind() {
        return ring.offer(Descriptor.TYPE_FELL_BEHIND, interest.part(), interest.shard(), 0, 0, 0, 0);
    }

    private boolean flush() {
        return run.flush(ring, interest.part(), interest.shard());
    }

    /** Adds the reader's record to the run. When the ring is full the record is kept as the run's only one. */
    private boolean add() {
        final long position = reader.recordPosition();
        final int length = RecordDescriptor.alignedLength(reader.length());
        final int topicId = RecordDescriptor.topicId(reader.buffer(), reader.offset());
        if (run.add(position, length, topicId, (position & segmentMask) == 0)) {
            return true;
        }
        if (!flush()) {
            reader.back();
            return false;
        }
        return run.add(position, length, topicId, true);
    }

    private boolean isWanted() {
        final DirectBuffer buffer = reader.buffer();
        final int offset = reader.offset();
        if (RecordDescriptor.type(buffer, offset) != TYPE_MESSAGE) {
            return false;
        }
        final TopicReader topicReader = topicReader(RecordDescriptor.topicId(buffer, offset));
        return topicReader.matches(buffer, offset + HEADER_LENGTH, RecordDescriptor.messageLength(buffer, offset));
    }

    private TopicReader topicReader(final int topicId) {
        if (topicId >= readers.length) {
            readers = Arrays.copyOf(readers, topicId + 1);
        }
        TopicReader topicReader = readers[topicId];
        if (topicReader == null) {
            topicReader = new TopicReader(topics.topic(topicId), interest);
            readers[topicId] = topicReader;
        }
        return topicReader;
    }

    /** How the messages of one topic are matched. */
    private static final class TopicReader {
        private final boolean wanted;
        private final @Nullable Filter filter;
        private final FieldReader message;

        TopicReader(final Topic topic, final Interest interest) {
            wanted = interest.topics().matches(topic.name());
            final FieldSet fields = new FieldSet();
            filter = interest.filter().isEmpty()
                    ? null
                    : FilterCompiler.compile(interest.filter(), fields, FilterLimits.DEFAULTS);
            message = topic.format().newReader(fields);
        }

        boolean matches(final DirectBuffer buffer, final int offset, final int length) {
            if (!wanted || filter == null) {
                return wanted;
            }
            message.wrap(buffer, offset, length);
            return filter.matches(message);
        }
    }
}
