package io.penstock.simulator;

import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.DeliverDecoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A bug where a subscription goes on from files to the window: one message is left out, or comes twice. Records of files
 * have a checksum, those of the window have none.
 */
final class HandOver implements SimNetwork.Tamper {
    private static final int RECORDS_AT = 8 + DeliverDecoder.BLOCK_LENGTH;
    private static final int SUBSCRIPTION_AT = 8 + DeliverDecoder.subscriptionIdEncodingOffset();
    private static final int CHECKSUM_OFFSET = 44;

    private final boolean repeats;

    /** The last frame with records from files, by connection and subscription. */
    private final Map<String, byte[]> fromFiles = new HashMap<>();

    HandOver(final boolean repeats) {
        this.repeats = repeats;
    }

    @Override
    public byte @Nullable [] onFrame(final SimLink link, final byte[] frame) {
        final ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getShort(2) != DeliverDecoder.TEMPLATE_ID || frame.length < RECORDS_AT + CHECKSUM_OFFSET) {
            return frame;
        }
        final String subscription = link.id() + ":" + bytes.getLong(SUBSCRIPTION_AT);
        if (bytes.getInt(RECORDS_AT + CHECKSUM_OFFSET) != 0) {
            fromFiles.put(subscription, frame);
            return frame;
        }
        final byte[] last = fromFiles.remove(subscription);
        if (last == null) {
            return frame;
        }
        if (repeats) {
            return last;
        }
        final int length = RecordDescriptor.alignedLength(RecordDescriptor.length(new UnsafeBuffer(frame), RECORDS_AT));
        final byte[] shorter = Arrays.copyOf(frame, frame.length - length);
        System.arraycopy(frame, RECORDS_AT + length, shorter, RECORDS_AT, shorter.length - RECORDS_AT);
        return shorter;
    }
}
