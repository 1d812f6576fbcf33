package io.penstock.broker.session.deliver;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.protocol.codec.DeliverEncoder;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What stands before the records of a delivery. Deliveries of one topic that follow each other, to whatever connections, differ in the
 * id of their subscription alone: the rest is encoded for the first of them. Confined to one I/O agent.
 */
final class DeliverHeader {
    /** In bytes. */
    static final int LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + DeliverEncoder.BLOCK_LENGTH;

    private static final int SUBSCRIPTION_OFFSET =
            MessageHeaderEncoder.ENCODED_LENGTH + DeliverEncoder.subscriptionIdEncodingOffset();
    private static final long NONE = -1;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
    private final MessageHeaderEncoder messageHeader = new MessageHeaderEncoder();
    private final DeliverEncoder deliver = new DeliverEncoder();
    private long shared = NONE;

    /** The header that was encoded last, at its start. */
    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Encodes a header. */
    void encode(final long subscriptionId, final int shard, final int topicId, final int kind) {
        final long wanted = ((long) topicId << Integer.SIZE) | ((long) shard << Short.SIZE) | kind;
        if (wanted == shared) {
            buffer.putLong(SUBSCRIPTION_OFFSET, subscriptionId, LITTLE_ENDIAN);
            return;
        }
        deliver.wrapAndApplyHeader(buffer, 0, messageHeader)
                .subscriptionId(subscriptionId)
                .shard(shard)
                .topicId(topicId)
                .kind(DeliveryKind.get((short) kind));
        shared = wanted;
    }
}
