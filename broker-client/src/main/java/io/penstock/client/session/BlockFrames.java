package io.penstock.client.session;

import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.BlockDataEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.OfferBlockEncoder;
import io.penstock.transport.TransportContext;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes the frames of blocks, one at a time, into the same memory. Owned by the session. */
final class BlockFrames {
    static final int OFFER_LENGTH = FrameHeader.LENGTH + OfferBlockEncoder.BLOCK_LENGTH;

    /** Length of a part's frame, without the part's bytes. */
    static final int DATA_LENGTH = FrameHeader.LENGTH + BlockDataEncoder.BLOCK_LENGTH;

    private final UnsafeBuffer buffer =
            new UnsafeBuffer(ByteBuffer.allocateDirect(Math.max(OFFER_LENGTH, DATA_LENGTH)));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final OfferBlockEncoder offer = new OfferBlockEncoder();
    private final BlockDataEncoder data = new BlockDataEncoder();

    UnsafeBuffer buffer() {
        return buffer;
    }

    /** The most bytes that make, with what is before them, a frame that is sent and received in one. */
    static int partLength(final int bestSendLength) {
        return Math.min(bestSendLength, TransportContext.FRAGMENT_LENGTH_MIN) - DATA_LENGTH;
    }

    /** An offer, without a command id. */
    void offer(final int writerId, final long blockId, final long memoryOffset, final int length, final int checksum) {
        offer.wrapAndApplyHeader(buffer, 0, header)
                .commandId(0)
                .writerId(writerId)
                .blockId(blockId)
                .memoryOffset(memoryOffset)
                .length(length)
                .checksum(Integer.toUnsignedLong(checksum));
    }

    /** Encodes the fields before the bytes of a part. */
    void data(final int writerId, final long blockId, final int offset) {
        data.wrapAndApplyHeader(buffer, 0, header)
                .writerId(writerId)
                .blockId(blockId)
                .partOffset(offset);
    }
}
