package io.penstock.broker.shard.match;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;

import io.penstock.format.GrowableReader;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A record for which filters of its topic are evaluated. It is read when the first filter needs it, once for all
 * filters of all owners. Confined to one agent.
 */
public final class MatchedRecord {
    private static final long NO_SEQUENCE = -1;
    private static final long NOT_READ = -1;

    /** The headers' length is what the record says that the message lies in. */
    private static final int IN_RECORD = -1;

    private final TopicFields fields;
    private final int index;
    private DirectBuffer buffer = new UnsafeBuffer(0, 0);
    private int offset;
    private int length;
    private int headersLength;
    private long sequence = NO_SEQUENCE;
    private long number;
    private long readAtChange = NOT_READ;

    MatchedRecord(final TopicFields fields, final int index) {
        this.fields = fields;
        this.index = index;
    }

    /**
     * Moves to a message that lies in its record of the log, unless it is there already.
     *
     * @param log           with the record.
     * @param recordOffset  of the record.
     * @param payloadLength of the message, in bytes.
     * @param ofSequence    of the record.
     */
    public void wrap(final DirectBuffer log, final int recordOffset, final int payloadLength, final long ofSequence) {
        if (sequence != ofSequence) {
            wrapContent(log, recordOffset + HEADER_LENGTH, payloadLength, IN_RECORD);
            sequence = ofSequence;
        }
    }

    /**
     * Moves to a message anywhere. It has to stay as it is until the next one.
     *
     * @param content         with the message, and its headers after it.
     * @param messageOffset   of the message.
     * @param messageLength   in bytes.
     * @param ofHeadersLength in bytes; 0 for none.
     */
    public void wrapContent(
            final DirectBuffer content, final int messageOffset, final int messageLength, final int ofHeadersLength) {
        buffer = content;
        offset = messageOffset;
        length = messageLength;
        headersLength = ofHeadersLength;
        sequence = NO_SEQUENCE;
        number++;
        readAtChange = NOT_READ;
    }

    /** Which of the records of its topic it is. */
    int index() {
        return index;
    }

    /** Another one for each message. */
    long number() {
        return number;
    }

    /** The reader of the message's fields; valid until the next message, or until a filter is added or removed. */
    GrowableReader reader() {
        final GrowableReader reader = fields.reader(index);
        if (readAtChange != fields.changeCount()) {
            readAtChange = fields.changeCount();
            if (fields.readsHeaders()) {
                reader.headers(buffer, offset + length, headersLength());
            }
            reader.wrap(buffer, offset, length);
        }
        return reader;
    }

    private int headersLength() {
        return headersLength == IN_RECORD
                ? RecordDescriptor.headersLength(buffer, offset - HEADER_LENGTH)
                : headersLength;
    }
}
