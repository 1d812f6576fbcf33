package io.penstock.protocol;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

import io.penstock.format.header.HeaderLayout;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.AuthChallengeDecoder;
import io.penstock.protocol.codec.AuthResponseDecoder;
import io.penstock.protocol.codec.BlockDataDecoder;
import io.penstock.protocol.codec.BlockGrantedDecoder;
import io.penstock.protocol.codec.BlockStoredDecoder;
import io.penstock.protocol.codec.CloseSinkDecoder;
import io.penstock.protocol.codec.DeclareTopicDecoder;
import io.penstock.protocol.codec.DeleteTopicDecoder;
import io.penstock.protocol.codec.DeliverDecoder;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.ExplanationDecoder;
import io.penstock.protocol.codec.FlushDecoder;
import io.penstock.protocol.codec.GroupBeginDecoder;
import io.penstock.protocol.codec.GroupEndDecoder;
import io.penstock.protocol.codec.HeartbeatDecoder;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.LogonDecoder;
import io.penstock.protocol.codec.OfferBlockDecoder;
import io.penstock.protocol.codec.OpenSinkDecoder;
import io.penstock.protocol.codec.PaceDecoder;
import io.penstock.protocol.codec.PublishDecoder;
import io.penstock.protocol.codec.PublishStateDecoder;
import io.penstock.protocol.codec.QueryProgressDecoder;
import io.penstock.protocol.codec.ReplayBeginDecoder;
import io.penstock.protocol.codec.ResetPublisherDecoder;
import io.penstock.protocol.codec.SinkOpenedDecoder;
import io.penstock.protocol.codec.SowDecoder;
import io.penstock.protocol.codec.SowDeleteDecoder;
import io.penstock.protocol.codec.StatDecoder;
import io.penstock.protocol.codec.StatEntryDecoder;
import io.penstock.protocol.codec.SubscribeDecoder;
import io.penstock.protocol.codec.SubscribeFromDecoder;
import io.penstock.protocol.codec.TopicEntryDecoder;
import io.penstock.protocol.codec.TopicsDecoder;
import io.penstock.protocol.codec.UnsubscribeDecoder;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a frame is well formed, before anything in it is used: after that the generated codecs read no byte
 * outside of it. Driven by a table, allocates nothing, safe on any thread.
 *
 * <p>A frame of a version has the fields that came with it, which one of an earlier version has not. One of a newer
 * version than {@link FrameHeader#VERSION} may have a longer block and more variable data at its end; what is known of
 * it is checked alike. A frame of this version ends with its last variable data.
 */
public final class FrameCheck {
    private static final int TEMPLATE_LIMIT = 128;
    private static final int TEXT_LENGTH_MAX = 65_534;

    /** Shortest block of a template, or -1 where there is no such template. */
    private static final int[] COMMAND_BLOCK_LENGTHS = new int[TEMPLATE_LIMIT];

    private static final int[] ANSWER_BLOCK_LENGTHS = new int[TEMPLATE_LIMIT];

    /** The version from which on a template has more. */
    private static final int[] LATER_VERSIONS = new int[TEMPLATE_LIMIT];

    /** How much longer the block is from that version on. */
    private static final int[] LATER_BLOCK_LENGTHS = new int[TEMPLATE_LIMIT];

    /** The number of texts that follow the block. */
    private static final int[] TEXT_COUNTS = new int[TEMPLATE_LIMIT];

    /** How many texts more there are from that version on. */
    private static final int[] LATER_TEXT_COUNTS = new int[TEMPLATE_LIMIT];

    static {
        Arrays.fill(COMMAND_BLOCK_LENGTHS, -1);
        Arrays.fill(ANSWER_BLOCK_LENGTHS, -1);
        command(LogonDecoder.TEMPLATE_ID, LogonDecoder.BLOCK_LENGTH, 3);
        command(PublishDecoder.TEMPLATE_ID, PublishDecoder.BLOCK_LENGTH, 1);
        command(SubscribeDecoder.TEMPLATE_ID, SubscribeDecoder.BLOCK_LENGTH, 5);
        command(UnsubscribeDecoder.TEMPLATE_ID, UnsubscribeDecoder.BLOCK_LENGTH, 0);
        command(FlushDecoder.TEMPLATE_ID, FlushDecoder.BLOCK_LENGTH, 0);
        command(HeartbeatDecoder.TEMPLATE_ID, HeartbeatDecoder.BLOCK_LENGTH, 0);
        command(StatDecoder.TEMPLATE_ID, StatDecoder.BLOCK_LENGTH, 1);
        command(TopicsDecoder.TEMPLATE_ID, TopicsDecoder.BLOCK_LENGTH, 1);
        command(DeclareTopicDecoder.TEMPLATE_ID, DeclareTopicDecoder.BLOCK_LENGTH, 3);
        command(PublishStateDecoder.TEMPLATE_ID, PublishStateDecoder.headersLengthEncodingOffset(), 2);
        command(SowDecoder.TEMPLATE_ID, SowDecoder.BLOCK_LENGTH, 8);
        command(SowDeleteDecoder.TEMPLATE_ID, SowDeleteDecoder.BLOCK_LENGTH, 3);
        command(SubscribeFromDecoder.TEMPLATE_ID, SubscribeFromDecoder.BLOCK_LENGTH, 4);
        command(PaceDecoder.TEMPLATE_ID, PaceDecoder.BLOCK_LENGTH, 0);
        command(OpenSinkDecoder.TEMPLATE_ID, OpenSinkDecoder.BLOCK_LENGTH, 3);
        command(OfferBlockDecoder.TEMPLATE_ID, OfferBlockDecoder.BLOCK_LENGTH, 0);
        command(BlockDataDecoder.TEMPLATE_ID, BlockDataDecoder.BLOCK_LENGTH, 0);
        command(CloseSinkDecoder.TEMPLATE_ID, CloseSinkDecoder.BLOCK_LENGTH, 0);
        command(ResetPublisherDecoder.TEMPLATE_ID, ResetPublisherDecoder.BLOCK_LENGTH, 2);
        command(DeleteTopicDecoder.TEMPLATE_ID, DeleteTopicDecoder.BLOCK_LENGTH, 1);
        command(AuthResponseDecoder.TEMPLATE_ID, AuthResponseDecoder.BLOCK_LENGTH, 2);
        answer(HeartbeatDecoder.TEMPLATE_ID, HeartbeatDecoder.BLOCK_LENGTH, 0);
        answer(LogonAckDecoder.TEMPLATE_ID, LogonAckDecoder.BLOCK_LENGTH, 1);
        answer(AckDecoder.TEMPLATE_ID, AckDecoder.shardEncodingOffset(), 0);
        answer(ErrorDecoder.TEMPLATE_ID, ErrorDecoder.BLOCK_LENGTH, 2);
        answer(DeliverDecoder.TEMPLATE_ID, DeliverDecoder.BLOCK_LENGTH, 0);
        answer(TopicEntryDecoder.TEMPLATE_ID, TopicEntryDecoder.BLOCK_LENGTH, 2);
        answer(StatEntryDecoder.TEMPLATE_ID, StatEntryDecoder.BLOCK_LENGTH, 1);
        answer(GroupBeginDecoder.TEMPLATE_ID, GroupBeginDecoder.BLOCK_LENGTH, 0);
        answer(ReplayBeginDecoder.TEMPLATE_ID, ReplayBeginDecoder.BLOCK_LENGTH, 0);
        answer(GroupEndDecoder.TEMPLATE_ID, GroupEndDecoder.BLOCK_LENGTH, 0);
        answer(QueryProgressDecoder.TEMPLATE_ID, QueryProgressDecoder.BLOCK_LENGTH, 0);
        answer(SinkOpenedDecoder.TEMPLATE_ID, SinkOpenedDecoder.BLOCK_LENGTH, 0);
        answer(BlockGrantedDecoder.TEMPLATE_ID, BlockGrantedDecoder.BLOCK_LENGTH, 0);
        answer(BlockStoredDecoder.TEMPLATE_ID, BlockStoredDecoder.BLOCK_LENGTH, 0);
        answer(AuthChallengeDecoder.TEMPLATE_ID, AuthChallengeDecoder.BLOCK_LENGTH, 2);
        answer(ExplanationDecoder.TEMPLATE_ID, ExplanationDecoder.BLOCK_LENGTH, 1);
        later(2, PublishStateDecoder.TEMPLATE_ID, COMMAND_BLOCK_LENGTHS, PublishStateDecoder.BLOCK_LENGTH, 0);
        later(2, AckDecoder.TEMPLATE_ID, ANSWER_BLOCK_LENGTHS, AckDecoder.BLOCK_LENGTH, 0);
        later(2, TopicEntryDecoder.TEMPLATE_ID, ANSWER_BLOCK_LENGTHS, TopicEntryDecoder.BLOCK_LENGTH, 1);
        later(3, LogonDecoder.TEMPLATE_ID, COMMAND_BLOCK_LENGTHS, LogonDecoder.BLOCK_LENGTH, 2);
        later(3, SowDecoder.TEMPLATE_ID, COMMAND_BLOCK_LENGTHS, SowDecoder.BLOCK_LENGTH, 1);
        later(3, LogonAckDecoder.TEMPLATE_ID, ANSWER_BLOCK_LENGTHS, LogonAckDecoder.BLOCK_LENGTH, 1);
    }

    private FrameCheck() {}

    private static void command(final int templateId, final int blockLength, final int textCount) {
        COMMAND_BLOCK_LENGTHS[templateId] = blockLength;
        TEXT_COUNTS[templateId] = textCount;
    }

    private static void answer(final int templateId, final int blockLength, final int textCount) {
        ANSWER_BLOCK_LENGTHS[templateId] = blockLength;
        TEXT_COUNTS[templateId] = textCount;
    }

    private static void later(
            final int version,
            final int templateId,
            final int[] blockLengths,
            final int blockLength,
            final int textCount) {
        LATER_VERSIONS[templateId] = version;
        LATER_BLOCK_LENGTHS[templateId] = blockLength - blockLengths[templateId];
        LATER_TEXT_COUNTS[templateId] = textCount;
    }

    /**
     * Checks a whole frame that came from a client.
     *
     * @param buffer holding the frame.
     * @param offset of its header.
     * @param length of the frame in bytes.
     * @return what is wrong with it, or null when it is well formed.
     */
    public static @Nullable ErrorCode checkCommand(final DirectBuffer buffer, final int offset, final int length) {
        return check(COMMAND_BLOCK_LENGTHS, buffer, offset, length, length);
    }

    /**
     * Checks a frame that came from a client by its first fragment. Only a Publish or PublishState may be longer than a
     * fragment, and only its payload may lie beyond it.
     *
     * @param buffer         holding the fragment.
     * @param offset         of the frame's header.
     * @param fragmentLength bytes of the frame that are there.
     * @param frameLength    bytes of the whole frame, as announced.
     * @return what is wrong with it, or null when it is well formed.
     */
    public static @Nullable ErrorCode checkCommand(
            final DirectBuffer buffer, final int offset, final int fragmentLength, final int frameLength) {
        return check(COMMAND_BLOCK_LENGTHS, buffer, offset, fragmentLength, frameLength);
    }

    /**
     * Checks a whole frame that came from a broker, the run of records of a Deliver included.
     *
     * @param buffer holding the frame.
     * @param offset of its header.
     * @param length of the frame in bytes.
     * @return what is wrong with it, or null when it is well formed.
     */
    public static @Nullable ErrorCode checkAnswer(final DirectBuffer buffer, final int offset, final int length) {
        return check(ANSWER_BLOCK_LENGTHS, buffer, offset, length, length);
    }

    private static @Nullable ErrorCode check(
            final int[] blockLengths,
            final DirectBuffer buffer,
            final int offset,
            final int availableLength,
            final int frameLength) {
        if (availableLength < FrameHeader.LENGTH || availableLength > frameLength) {
            return ErrorCode.BAD_FRAME;
        }
        final long header = FrameHeader.read(buffer, offset);
        final int version = FrameHeader.version(header);
        if (FrameHeader.schemaId(header) != FrameHeader.SCHEMA_ID || version == 0) {
            return ErrorCode.UNSUPPORTED_VERSION;
        }
        final int templateId = FrameHeader.templateId(header);
        if (templateId >= TEMPLATE_LIMIT || blockLengths[templateId] < 0) {
            return ErrorCode.UNKNOWN_COMMAND;
        }
        final int blockLength = FrameHeader.blockLength(header);
        final int blockLengthMin =
                blockLengths[templateId] + (isLater(templateId, version) ? LATER_BLOCK_LENGTHS[templateId] : 0);
        if (blockLength < blockLengthMin || FrameHeader.LENGTH + blockLength > availableLength) {
            return ErrorCode.BAD_FRAME;
        }
        if (availableLength < frameLength && !hasPayload(templateId)) {
            return ErrorCode.BAD_FRAME;
        }
        if (templateId == DeliverDecoder.TEMPLATE_ID) {
            return isKindKnown(buffer, offset)
                    ? checkRecords(buffer, offset + FrameHeader.LENGTH + blockLength, offset + frameLength)
                    : ErrorCode.BAD_FRAME;
        }
        if (templateId == BlockDataDecoder.TEMPLATE_ID) {
            // The part is what follows the fields; whether it is the one that is due is for the sink to say.
            return null;
        }
        if (templateId == AckDecoder.TEMPLATE_ID && !isAckTypeKnown(buffer, offset)) {
            return ErrorCode.BAD_FRAME;
        }
        return checkVarData(buffer, offset, blockLength, templateId, version, availableLength, frameLength);
    }

    private static boolean isLater(final int templateId, final int version) {
        return version >= LATER_VERSIONS[templateId];
    }

    private static boolean hasPayload(final int templateId) {
        return templateId == PublishDecoder.TEMPLATE_ID || templateId == PublishStateDecoder.TEMPLATE_ID;
    }

    private static boolean isAckTypeKnown(final DirectBuffer buffer, final int offset) {
        final int ackType = buffer.getByte(offset + FrameHeader.LENGTH + AckDecoder.ackTypeEncodingOffset()) & 0xFF;
        return ackType <= AckType.STATS.value();
    }

    private static boolean isKindKnown(final DirectBuffer buffer, final int offset) {
        final int kind = buffer.getByte(offset + FrameHeader.LENGTH + DeliverDecoder.kindEncodingOffset()) & 0xFF;
        return kind <= DeliveryKind.OOF_EXPIRED.value();
    }

    private static @Nullable ErrorCode checkVarData(
            final DirectBuffer buffer,
            final int offset,
            final int blockLength,
            final int templateId,
            final int version,
            final int availableLength,
            final int frameLength) {
        int length = FrameHeader.LENGTH + blockLength;
        final int textCount =
                TEXT_COUNTS[templateId] + (isLater(templateId, version) ? LATER_TEXT_COUNTS[templateId] : 0);
        for (int i = textCount; i > 0; i--) {
            if (availableLength - length < SIZE_OF_SHORT) {
                return ErrorCode.BAD_FRAME;
            }
            final int textLength = buffer.getShort(offset + length, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
            length += SIZE_OF_SHORT;
            if (textLength > TEXT_LENGTH_MAX || textLength > availableLength - length) {
                return ErrorCode.BAD_FRAME;
            }
            length += textLength;
        }
        if (hasPayload(templateId)) {
            if (availableLength - length < SIZE_OF_INT) {
                return ErrorCode.BAD_FRAME;
            }
            final int payloadLength = buffer.getInt(offset + length, ByteOrder.LITTLE_ENDIAN);
            length += SIZE_OF_INT;
            if (payloadLength < 0 || payloadLength > frameLength - length) {
                return ErrorCode.BAD_FRAME;
            }
            length += payloadLength;
        }
        return length == frameLength || version > FrameHeader.VERSION ? null : ErrorCode.BAD_FRAME;
    }

    private static boolean hasHeaders(final DirectBuffer buffer, final int record) {
        final int headersLength = RecordDescriptor.headersLength(buffer, record);
        final int message = record + RecordDescriptor.HEADER_LENGTH;
        return headersLength > 0
                && HeaderLayout.check(buffer, message + RecordDescriptor.messageLength(buffer, record), headersLength)
                        == null;
    }

    private static @Nullable ErrorCode checkRecords(final DirectBuffer buffer, final int offset, final int limit) {
        int record = offset;
        do {
            if (limit - record < RecordDescriptor.HEADER_LENGTH) {
                return ErrorCode.BAD_FRAME;
            }
            final long head = RecordDescriptor.head(buffer, record);
            final int recordLength = RecordDescriptor.length(head);
            final int trailerLength = RecordDescriptor.trailerLength(head);
            if (recordLength < RecordDescriptor.HEADER_LENGTH
                    || recordLength > limit - record
                    || trailerLength > recordLength - RecordDescriptor.HEADER_LENGTH) {
                return ErrorCode.BAD_FRAME;
            }
            if ((RecordDescriptor.flags(head) & RecordDescriptor.FLAG_HEADERS) != 0 && !hasHeaders(buffer, record)) {
                return ErrorCode.BAD_FRAME;
            }
            record += RecordDescriptor.alignedLength(recordLength);
        } while (record < limit);
        return null;
    }
}
