package io.penstock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.BlockDataDecoder;
import io.penstock.protocol.codec.BlockGrantedDecoder;
import io.penstock.protocol.codec.BlockStoredDecoder;
import io.penstock.protocol.codec.CloseSinkDecoder;
import io.penstock.protocol.codec.DeclareTopicDecoder;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.FlushDecoder;
import io.penstock.protocol.codec.GroupBeginDecoder;
import io.penstock.protocol.codec.GroupEndDecoder;
import io.penstock.protocol.codec.HeartbeatDecoder;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.LogonDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.OfferBlockDecoder;
import io.penstock.protocol.codec.OpenSinkDecoder;
import io.penstock.protocol.codec.PaceDecoder;
import io.penstock.protocol.codec.PublishDecoder;
import io.penstock.protocol.codec.PublishStateDecoder;
import io.penstock.protocol.codec.ReplayBeginDecoder;
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
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameCheckTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 200);

    private final Frames frames = new Frames(1);

    @Test
    void shouldAcceptEveryCommandAsEncoded() {
        for (final byte[] frame : frames.commands()) {
            assertThat(command(frame)).as(name(frame)).isNull();
        }
    }

    @Test
    void shouldAcceptEveryAnswerAsEncoded() {
        for (final byte[] frame : frames.answers()) {
            assertThat(answer(frame)).as(name(frame)).isNull();
        }
    }

    @Test
    void shouldRefuseAnswersWhereCommandsAreExpected() {
        for (final byte[] frame : frames.answers().subList(1, frames.answers().size())) {
            assertThat(command(frame)).as(name(frame)).isEqualTo(ErrorCode.UNKNOWN_COMMAND);
        }
    }

    @Test
    void shouldRefuseCommandsWhereAnswersAreExpected() {
        assertThat(answer(frames.logon())).isEqualTo(ErrorCode.UNKNOWN_COMMAND);
    }

    @Test
    void shouldRefuseEveryTruncation() {
        for (final byte[] frame : frames.commands()) {
            for (int length = 0; length < frame.length; length++) {
                assertThat(command(Arrays.copyOf(frame, length)))
                        .as("%s cut to %d", name(frame), length)
                        .isEqualTo(ErrorCode.BAD_FRAME);
            }
        }
    }

    @Test
    void shouldRefuseBytesAfterTheLastField() {
        for (final byte[] frame : frames.commands()) {
            assertThat(command(Arrays.copyOf(frame, frame.length + 1)))
                    .as(name(frame))
                    .isEqualTo(ErrorCode.BAD_FRAME);
        }
    }

    @Test
    void shouldAcceptLongerBlockAndTrailingDataWhenVersionIsNewer() {
        for (final byte[] frame : frames.commands()) {
            final UnsafeBuffer view = new UnsafeBuffer(frame);
            final int blockLength = FrameHeader.blockLength(view, 0);
            final byte[] newer = new byte[frame.length + 4 + 6];
            final int blockEnd = FrameHeader.LENGTH + blockLength;
            System.arraycopy(frame, 0, newer, 0, blockEnd);
            System.arraycopy(frame, blockEnd, newer, blockEnd + 4, frame.length - blockEnd);
            putShort(newer, FrameHeader.BLOCK_LENGTH_OFFSET, blockLength + 4);
            putShort(newer, FrameHeader.VERSION_OFFSET, FrameHeader.VERSION + 1);
            assertThat(command(newer)).as(name(frame)).isNull();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void shouldNameTheDamageWhenHeaderIsDamaged(
            final String name, final int offset, final int value, final ErrorCode expected) {
        final byte[] frame = frames.publish(10);
        putShort(frame, offset, value);
        assertThat(command(frame)).isEqualTo(expected);
    }

    static Stream<Object[]> damages() {
        return Stream.of(
                new Object[] {"short block", FrameHeader.BLOCK_LENGTH_OFFSET, 16, ErrorCode.BAD_FRAME},
                new Object[] {"block beyond the frame", FrameHeader.BLOCK_LENGTH_OFFSET, 0xFFFF, ErrorCode.BAD_FRAME},
                new Object[] {"template 0", FrameHeader.TEMPLATE_ID_OFFSET, 0, ErrorCode.UNKNOWN_COMMAND},
                new Object[] {"template 99", FrameHeader.TEMPLATE_ID_OFFSET, 99, ErrorCode.UNKNOWN_COMMAND},
                new Object[] {"template 65535", FrameHeader.TEMPLATE_ID_OFFSET, 0xFFFF, ErrorCode.UNKNOWN_COMMAND},
                new Object[] {"schema", FrameHeader.SCHEMA_ID_OFFSET, 8021, ErrorCode.UNSUPPORTED_VERSION},
                new Object[] {"version 0", FrameHeader.VERSION_OFFSET, 0, ErrorCode.UNSUPPORTED_VERSION},
                new Object[] {"topic beyond the frame", 25, 1_000, ErrorCode.BAD_FRAME},
                new Object[] {"topic of the null length", 25, 0xFFFF, ErrorCode.BAD_FRAME});
    }

    @Test
    void shouldRefusePayloadLengthThatIsNegativeOrBeyondTheFrame() {
        for (final int payloadLength : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 11, 9}) {
            final byte[] frame = frames.publish(10);
            new UnsafeBuffer(frame).putInt(frame.length - 14, payloadLength, ByteOrder.LITTLE_ENDIAN);
            assertThat(command(frame)).as("payload of %d", payloadLength).isEqualTo(ErrorCode.BAD_FRAME);
        }
    }

    @Test
    void shouldAcceptFirstFragmentOfPublishWhenOnlyItsPayloadIsBeyond() {
        final byte[] frame = frames.publish(100_000);
        final UnsafeBuffer fragment = new UnsafeBuffer(frame, 0, 65_536);
        assertThat(FrameCheck.checkCommand(fragment, 0, 65_536, frame.length)).isNull();
    }

    @Test
    void shouldRefuseFirstFragmentWhenPayloadLengthDoesNotFitTheFrame() {
        final byte[] frame = frames.publish(100_000);
        final UnsafeBuffer fragment = new UnsafeBuffer(frame, 0, 65_536);
        assertThat(FrameCheck.checkCommand(fragment, 0, 65_536, frame.length - 1))
                .isEqualTo(ErrorCode.BAD_FRAME);
    }

    @Test
    void shouldRefuseFirstFragmentOfAnyOtherCommand() {
        final byte[] frame = frames.logon();
        assertThat(FrameCheck.checkCommand(new UnsafeBuffer(frame), 0, frame.length, frame.length + 1))
                .isEqualTo(ErrorCode.BAD_FRAME);
    }

    @Test
    void shouldRefuseDeliveryWithoutRecords() {
        final byte[] frame = Arrays.copyOf(frames.deliver(), FrameHeader.LENGTH + 16);
        assertThat(answer(frame)).isEqualTo(ErrorCode.BAD_FRAME);
    }

    @Test
    void shouldRefuseRecordLengthsThatDoNotFit() {
        final byte[] frame = frames.deliver();
        for (final int recordLength : new int[] {0, -1, Integer.MIN_VALUE, 47, frame.length, Integer.MAX_VALUE}) {
            new UnsafeBuffer(frame).putInt(FrameHeader.LENGTH + 16, recordLength, ByteOrder.LITTLE_ENDIAN);
            assertThat(answer(frame)).as("record of %d", recordLength).isEqualTo(ErrorCode.BAD_FRAME);
        }
    }

    @Test
    void shouldNeverLetDecodersReadOutsideTheFrameWhenBytesAreMutated() {
        int accepted = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            final Random random = new Random(seed);
            final Frames seeded = new Frames(seed);
            final List<byte[]> all = random.nextBoolean() ? seeded.commands() : seeded.answers();
            final byte[] frame = all.get(random.nextInt(all.size()));
            for (int i = 0; i < 50; i++) {
                final byte[] mutated = Arrays.copyOf(frame, Math.max(0, frame.length + random.nextInt(5) - 2));
                for (int k = random.nextInt(3); k > 0 && mutated.length > 0; k--) {
                    mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
                }
                accepted += readsInsideOnly(mutated, "seed " + seed) ? 1 : 0;
            }
        }
        assertThat(accepted).as("frames that passed, so that decoders ran").isGreaterThan(SEEDS);
    }

    @FuzzTest
    void fuzzShouldNeverLetDecodersReadOutsideTheFrame(final byte[] frame) {
        readsInsideOnly(frame, "fuzzed");
    }

    /** The bounds checks of a buffer just as long as the frame are the naive model. */
    private static boolean readsInsideOnly(final byte[] frame, final String as) {
        final boolean isCommand = command(frame) == null;
        final boolean isAnswer = answer(frame) == null;
        if (!isCommand && !isAnswer) {
            return false;
        }
        try {
            readAll(new UnsafeBuffer(Arrays.copyOf(frame, frame.length)));
        } catch (final IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new AssertionError(as + ": " + Arrays.toString(frame), e);
        }
        return true;
    }

    private static void readAll(final UnsafeBuffer buffer) {
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(buffer, 0);
        switch (header.templateId()) {
            case LogonDecoder.TEMPLATE_ID -> {
                final LogonDecoder logon = new LogonDecoder().wrapAndApplyHeader(buffer, 0, header);
                logon.clientName();
                logon.user();
                logon.password();
            }
            case PublishDecoder.TEMPLATE_ID -> {
                final PublishDecoder publish = new PublishDecoder().wrapAndApplyHeader(buffer, 0, header);
                publish.topic();
                publish.getPayload(new byte[publish.payloadLength()], 0, publish.payloadLength());
            }
            case SubscribeDecoder.TEMPLATE_ID -> {
                final SubscribeDecoder subscribe = new SubscribeDecoder().wrapAndApplyHeader(buffer, 0, header);
                subscribe.options().isEmpty();
                subscribe.topic();
                subscribe.filter();
                subscribe.orderBy();
                subscribe.selection();
            }
            case PublishStateDecoder.TEMPLATE_ID -> {
                final PublishStateDecoder publish = new PublishStateDecoder().wrapAndApplyHeader(buffer, 0, header);
                publish.topic();
                publish.key();
                publish.getPayload(new byte[publish.payloadLength()], 0, publish.payloadLength());
            }
            case SowDecoder.TEMPLATE_ID -> {
                final SowDecoder sow = new SowDecoder().wrapAndApplyHeader(buffer, 0, header);
                sow.topic();
                sow.filter();
                sow.orderBy();
                sow.selection();
                sow.groupBy();
                sow.having();
                sow.keys();
                sow.asOfBookmark();
                sow.join();
            }
            case SowDeleteDecoder.TEMPLATE_ID -> {
                final SowDeleteDecoder delete = new SowDeleteDecoder().wrapAndApplyHeader(buffer, 0, header);
                delete.topic();
                delete.filter();
                delete.keys();
            }
            case SubscribeFromDecoder.TEMPLATE_ID -> {
                final SubscribeFromDecoder from = new SubscribeFromDecoder().wrapAndApplyHeader(buffer, 0, header);
                from.options().isEmpty();
                from.topic();
                from.filter();
                from.startBookmark();
                from.endBookmark();
            }
            case PaceDecoder.TEMPLATE_ID ->
                new PaceDecoder().wrapAndApplyHeader(buffer, 0, header).rate();
            case GroupBeginDecoder.TEMPLATE_ID ->
                new GroupBeginDecoder().wrapAndApplyHeader(buffer, 0, header).shard();
            case ReplayBeginDecoder.TEMPLATE_ID ->
                new ReplayBeginDecoder().wrapAndApplyHeader(buffer, 0, header).shard();
            case GroupEndDecoder.TEMPLATE_ID ->
                new GroupEndDecoder().wrapAndApplyHeader(buffer, 0, header).returned();
            case UnsubscribeDecoder.TEMPLATE_ID ->
                new UnsubscribeDecoder().wrapAndApplyHeader(buffer, 0, header).ackTypes();
            case FlushDecoder.TEMPLATE_ID ->
                new FlushDecoder().wrapAndApplyHeader(buffer, 0, header).commandId();
            case HeartbeatDecoder.TEMPLATE_ID -> new HeartbeatDecoder().wrapAndApplyHeader(buffer, 0, header);
            case StatDecoder.TEMPLATE_ID ->
                new StatDecoder().wrapAndApplyHeader(buffer, 0, header).prefix();
            case TopicsDecoder.TEMPLATE_ID ->
                new TopicsDecoder().wrapAndApplyHeader(buffer, 0, header).prefix();
            case DeclareTopicDecoder.TEMPLATE_ID -> {
                final DeclareTopicDecoder declare = new DeclareTopicDecoder().wrapAndApplyHeader(buffer, 0, header);
                declare.topic();
                declare.format();
                declare.key();
            }
            case OpenSinkDecoder.TEMPLATE_ID -> {
                final OpenSinkDecoder open = new OpenSinkDecoder().wrapAndApplyHeader(buffer, 0, header);
                open.sink();
                open.producer();
                open.memoryKey();
            }
            case OfferBlockDecoder.TEMPLATE_ID ->
                new OfferBlockDecoder().wrapAndApplyHeader(buffer, 0, header).checksum();
            case BlockDataDecoder.TEMPLATE_ID ->
                new BlockDataDecoder().wrapAndApplyHeader(buffer, 0, header).partOffset();
            case CloseSinkDecoder.TEMPLATE_ID ->
                new CloseSinkDecoder().wrapAndApplyHeader(buffer, 0, header).ackTypes();
            case SinkOpenedDecoder.TEMPLATE_ID ->
                new SinkOpenedDecoder().wrapAndApplyHeader(buffer, 0, header).pulls();
            case BlockGrantedDecoder.TEMPLATE_ID ->
                new BlockGrantedDecoder().wrapAndApplyHeader(buffer, 0, header).blockId();
            case BlockStoredDecoder.TEMPLATE_ID ->
                new BlockStoredDecoder().wrapAndApplyHeader(buffer, 0, header).fileOffset();
            case LogonAckDecoder.TEMPLATE_ID ->
                new LogonAckDecoder().wrapAndApplyHeader(buffer, 0, header).broker();
            case AckDecoder.TEMPLATE_ID ->
                new AckDecoder().wrapAndApplyHeader(buffer, 0, header).ackType();
            case ErrorDecoder.TEMPLATE_ID -> {
                final ErrorDecoder error = new ErrorDecoder().wrapAndApplyHeader(buffer, 0, header);
                error.name();
                error.text();
            }
            case TopicEntryDecoder.TEMPLATE_ID -> {
                final TopicEntryDecoder topic = new TopicEntryDecoder().wrapAndApplyHeader(buffer, 0, header);
                topic.name();
                topic.format();
            }
            case StatEntryDecoder.TEMPLATE_ID ->
                new StatEntryDecoder().wrapAndApplyHeader(buffer, 0, header).name();
            default -> readRecords(buffer, FrameHeader.LENGTH + header.blockLength());
        }
    }

    private static void readRecords(final UnsafeBuffer buffer, final int offset) {
        int record = offset;
        while (record < buffer.capacity()) {
            RecordDescriptor.publisherSequence(buffer, record);
            final int messageLength = RecordDescriptor.messageLength(buffer, record);
            final int keyLength = RecordDescriptor.keyLength(buffer, record);
            buffer.getBytes(record + RecordDescriptor.HEADER_LENGTH, new byte[messageLength + keyLength]);
            final int length = RecordDescriptor.length(buffer, record);
            buffer.getBytes(record, new byte[length]);
            record += RecordDescriptor.alignedLength(length);
        }
    }

    private static @Nullable ErrorCode command(final byte[] frame) {
        return FrameCheck.checkCommand(new UnsafeBuffer(frame), 0, frame.length);
    }

    private static @Nullable ErrorCode answer(final byte[] frame) {
        return FrameCheck.checkAnswer(new UnsafeBuffer(frame), 0, frame.length);
    }

    private static void putShort(final byte[] frame, final int offset, final int value) {
        new UnsafeBuffer(frame).putShort(offset, (short) value, ByteOrder.LITTLE_ENDIAN);
    }

    private static String name(final byte[] frame) {
        return "template " + FrameHeader.templateId(new UnsafeBuffer(frame), 0);
    }
}
