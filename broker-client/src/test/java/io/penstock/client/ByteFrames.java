package io.penstock.client;

import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.DeliverEncoder;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.LogonAckEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.TopicEntryEncoder;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Answers of a broker as bytes. */
final class ByteFrames {
    private ByteFrames() {}

    static byte[] logonAck(final long commandId) {
        final byte[] frame = new byte[256];
        final LogonAckEncoder ack =
                new LogonAckEncoder().wrapAndApplyHeader(new UnsafeBuffer(frame), 0, new MessageHeaderEncoder());
        ack.commandId(commandId)
                .sessionId(1)
                .publisherSequence(0)
                .heartbeatIntervalMs(1_000)
                .messageLengthMax(1 << 20)
                .shardCount(1)
                .broker("bytes")
                .putToken(new byte[0], 0, 0);
        return Arrays.copyOf(frame, FrameHeader.LENGTH + ack.encodedLength());
    }

    static byte[] topic(final int topicId, final String name) {
        final byte[] frame = new byte[256];
        final TopicEntryEncoder topic =
                new TopicEntryEncoder().wrapAndApplyHeader(new UnsafeBuffer(frame), 0, new MessageHeaderEncoder());
        topic.commandId(0)
                .messages(0)
                .shard(0)
                .topicId(topicId)
                .name(name)
                .format("json")
                .key("");
        return Arrays.copyOf(frame, FrameHeader.LENGTH + topic.encodedLength());
    }

    static byte[] deliver(final long subscriptionId, final int topicId, final byte[] payload) {
        final int recordLength = RecordDescriptor.HEADER_LENGTH + payload.length;
        final UnsafeBuffer frame =
                new UnsafeBuffer(new byte[FrameHeader.LENGTH + DeliverEncoder.BLOCK_LENGTH + recordLength]);
        final int record = new DeliverEncoder()
                .wrapAndApplyHeader(frame, 0, new MessageHeaderEncoder())
                .subscriptionId(subscriptionId)
                .shard(0)
                .topicId(topicId)
                .kind(DeliveryKind.PUBLISH)
                .limit();
        frame.putInt(record + RecordDescriptor.LENGTH_OFFSET, recordLength, ByteOrder.LITTLE_ENDIAN);
        frame.putByte(record + RecordDescriptor.TYPE_OFFSET, (byte) RecordDescriptor.TYPE_MESSAGE);
        frame.putLong(record + RecordDescriptor.SEQUENCE_OFFSET, 1, ByteOrder.LITTLE_ENDIAN);
        frame.putBytes(record + RecordDescriptor.HEADER_LENGTH, payload);
        return frame.byteArray();
    }
}
