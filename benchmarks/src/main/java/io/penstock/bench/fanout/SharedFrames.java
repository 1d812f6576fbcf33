package io.penstock.bench.fanout;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.DeliverEncoder;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Deliveries as bytes: how many there are in a frame, and the bytes of a burst as a broker sends them to one connection. */
final class SharedFrames {
    private static final int PREFIX_LENGTH = Integer.BYTES;
    private static final int HEAD_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + DeliverEncoder.BLOCK_LENGTH;

    /** The longest run of records in one frame, with room for what is before them. */
    private static final int RECORDS_LENGTH_MAX = 65_000;

    private SharedFrames() {}

    /** How many records are in a whole frame; -1 when it has none. */
    static int recordCount(final DirectBuffer frame, final int offset, final int length) {
        if (FrameHeader.templateId(frame, offset) != DeliverEncoder.TEMPLATE_ID) {
            return -1;
        }
        int count = 0;
        final int end = offset + length;
        int at = offset + FrameHeader.LENGTH + FrameHeader.blockLength(frame, offset);
        while (at < end) {
            count += RecordDescriptor.type(frame, at) == RecordDescriptor.TYPE_PADDING ? 0 : 1;
            at += RecordDescriptor.alignedLength(RecordDescriptor.length(frame, at));
        }
        return count;
    }

    /** A burst of messages for a connection with some subscriptions: one frame for each of them, or more if they are long. */
    static ByteBuffer burst(final int subscriptions, final int burst, final int messageLength) {
        final int recordLength = RecordDescriptor.HEADER_LENGTH + messageLength;
        final int alignedLength = RecordDescriptor.alignedLength(recordLength);
        final int ofFrame = Math.max(1, Math.min(burst, RECORDS_LENGTH_MAX / alignedLength));
        final int frames = (burst + ofFrame - 1) / ofFrame;
        final ByteBuffer bytes = ByteBuffer.allocateDirect(
                subscriptions * (frames * (PREFIX_LENGTH + HEAD_LENGTH) + burst * alignedLength));
        final UnsafeBuffer to = new UnsafeBuffer(bytes);
        final DeliverEncoder deliver = new DeliverEncoder();
        final MessageHeaderEncoder header = new MessageHeaderEncoder();
        int at = 0;
        for (int subscription = 1; subscription <= subscriptions; subscription++) {
            for (int left = burst; left > 0; left -= ofFrame) {
                final int records = Math.min(left, ofFrame);
                to.putInt(at, HEAD_LENGTH + records * alignedLength, LITTLE_ENDIAN);
                deliver.wrapAndApplyHeader(to, at + PREFIX_LENGTH, header)
                        .subscriptionId(subscription)
                        .shard(0)
                        .topicId(0)
                        .kind(DeliveryKind.PUBLISH);
                at += PREFIX_LENGTH + HEAD_LENGTH;
                for (int i = 0; i < records; i++) {
                    to.putInt(at + RecordDescriptor.LENGTH_OFFSET, recordLength, LITTLE_ENDIAN);
                    to.putByte(at + RecordDescriptor.TYPE_OFFSET, (byte) RecordDescriptor.TYPE_MESSAGE);
                    at += alignedLength;
                }
            }
        }
        return bytes;
    }
}
