package io.penstock.protocol;

import io.penstock.protocol.codec.AckEncoder;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.DeclareTopicEncoder;
import io.penstock.protocol.codec.DeliverEncoder;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.ErrorEncoder;
import io.penstock.protocol.codec.ExplanationEncoder;
import io.penstock.protocol.codec.FlushEncoder;
import io.penstock.protocol.codec.GroupBeginEncoder;
import io.penstock.protocol.codec.GroupEndEncoder;
import io.penstock.protocol.codec.HeartbeatEncoder;
import io.penstock.protocol.codec.IfMissing;
import io.penstock.protocol.codec.LogEnd;
import io.penstock.protocol.codec.LogStart;
import io.penstock.protocol.codec.LogonAckEncoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.PaceAction;
import io.penstock.protocol.codec.PaceEncoder;
import io.penstock.protocol.codec.PublishEncoder;
import io.penstock.protocol.codec.PublishStateEncoder;
import io.penstock.protocol.codec.QueryProgressEncoder;
import io.penstock.protocol.codec.RateUnit;
import io.penstock.protocol.codec.ReplayBeginEncoder;
import io.penstock.protocol.codec.SowAsOf;
import io.penstock.protocol.codec.SowDeleteEncoder;
import io.penstock.protocol.codec.SowEncoder;
import io.penstock.protocol.codec.StatEncoder;
import io.penstock.protocol.codec.StatEntryEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.protocol.codec.SubscribeFromEncoder;
import io.penstock.protocol.codec.TopicEntryEncoder;
import io.penstock.protocol.codec.TopicsEncoder;
import io.penstock.protocol.codec.UnsubscribeEncoder;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** Well-formed frames, written with the generated encoders, for tests to take apart. */
final class Frames {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256 * 1024]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final Random random;

    Frames(final long seed) {
        random = new Random(seed);
    }

    List<byte[]> commands() {
        final List<byte[]> frames = new ArrayList<>();
        frames.add(logon());
        frames.add(publish(random.nextInt(200)));
        frames.add(subscribe());
        final UnsubscribeEncoder unsubscribe = new UnsubscribeEncoder().wrapAndApplyHeader(buffer, 0, header);
        unsubscribe.commandId(4).subscriptionId(9).ackTypes().processed(true);
        frames.add(taken(unsubscribe.encodedLength()));
        final FlushEncoder flush = new FlushEncoder().wrapAndApplyHeader(buffer, 0, header);
        frames.add(taken(flush.commandId(5).encodedLength()));
        frames.add(heartbeat());
        final StatEncoder stat = new StatEncoder().wrapAndApplyHeader(buffer, 0, header);
        frames.add(taken(stat.commandId(6).prefix(text()).encodedLength()));
        final TopicsEncoder topics = new TopicsEncoder().wrapAndApplyHeader(buffer, 0, header);
        frames.add(taken(topics.commandId(7).prefix(text()).encodedLength()));
        final DeclareTopicEncoder declare = new DeclareTopicEncoder().wrapAndApplyHeader(buffer, 0, header);
        declare.commandId(8).ackTypes().clear();
        declare.expirationMs(0);
        frames.add(taken(declare.topic(text()).format("json").key(text()).encodedLength()));
        final PublishStateEncoder state = new PublishStateEncoder().wrapAndApplyHeader(buffer, 0, header);
        state.commandId(9).publisherSequence(1).expirationMs(-1).ackTypes().clear();
        state.options().clear().delta(true);
        state.topic(text()).key(text()).putPayload(new byte[9], 0, 9);
        frames.add(taken(state.encodedLength()));
        final SowEncoder sow = new SowEncoder().wrapAndApplyHeader(buffer, 0, header);
        sow.commandId(10)
                .queryId(3)
                .topN(-1)
                .skipN(0)
                .batchSize(0)
                .timeoutMs(0)
                .progressMs(0)
                .asOfTimeNs(0)
                .asOf(SowAsOf.BOOKMARK)
                .options()
                .clear();
        sow.ackTypes().clear().stats(true);
        sow.topic(text())
                .filter(text())
                .orderBy(text())
                .selection(text())
                .groupBy(text())
                .having(text())
                .keys(text());
        frames.add(taken(sow.asOfBookmark(text()).join(text()).encodedLength()));
        final SowDeleteEncoder delete = new SowDeleteEncoder().wrapAndApplyHeader(buffer, 0, header);
        delete.commandId(11).ackTypes().clear();
        frames.add(taken(delete.topic(text()).filter(text()).keys(text()).encodedLength()));
        final SubscribeFromEncoder from = new SubscribeFromEncoder().wrapAndApplyHeader(buffer, 0, header);
        from.commandId(12).subscriptionId(7).startTimeNs(1).endTimeNs(2).rate(0).rateMaxGapMs(0);
        from.rateUnit(RateUnit.NONE).start(LogStart.BOOKMARK).end(LogEnd.NONE).ifMissing(IfMissing.FAIL);
        from.options().clear().live(true);
        from.ackTypes().clear();
        from.topic(text()).filter(text()).startBookmark("0:7").endBookmark(text());
        frames.add(taken(from.encodedLength()));
        final PaceEncoder pace = new PaceEncoder().wrapAndApplyHeader(buffer, 0, header);
        pace.commandId(13).subscriptionId(7).rate(5).rateMaxGapMs(0);
        pace.rateUnit(RateUnit.BYTES).action(PaceAction.RATE).ackTypes().clear();
        frames.add(taken(pace.encodedLength()));
        return frames;
    }

    List<byte[]> answers() {
        final List<byte[]> frames = new ArrayList<>();
        frames.add(heartbeat());
        final LogonAckEncoder logonAck = new LogonAckEncoder().wrapAndApplyHeader(buffer, 0, header);
        logonAck.commandId(1)
                .sessionId(2)
                .publisherSequence(3)
                .heartbeatIntervalMs(4)
                .messageLengthMax(5);
        frames.add(taken(logonAck.shardCount(1)
                .broker(text())
                .putToken(new byte[3], 0, 3)
                .encodedLength()));
        final AckEncoder ack = new AckEncoder().wrapAndApplyHeader(buffer, 0, header);
        ack.commandId(1)
                .publisherSequence(2)
                .topicMatches(0)
                .matches(0)
                .returned(0)
                .duplicate((short) 0)
                .shard(0)
                .sequence(0);
        frames.add(taken(ack.ackType(AckType.STATS).encodedLength()));
        final ErrorEncoder error = new ErrorEncoder().wrapAndApplyHeader(buffer, 0, header);
        error.commandId(1).subscriptionId(0).publisherSequence(0).code(3).fatal((short) 1);
        frames.add(taken(error.name("X").text(text()).encodedLength()));
        frames.add(deliver());
        final TopicEntryEncoder topic = new TopicEntryEncoder().wrapAndApplyHeader(buffer, 0, header);
        topic.commandId(0).messages(1).shard(0).topicId(1);
        frames.add(taken(topic.name(text()).format("json").key("id").encodedLength()));
        final StatEntryEncoder stat = new StatEntryEncoder().wrapAndApplyHeader(buffer, 0, header);
        frames.add(taken(stat.commandId(1).value(2).name(text()).encodedLength()));
        final GroupBeginEncoder begin = new GroupBeginEncoder().wrapAndApplyHeader(buffer, 0, header);
        frames.add(taken(
                begin.commandId(1).queryId(2).sequence(3).shard(0).topicId(1).encodedLength()));
        final ReplayBeginEncoder replay = new ReplayBeginEncoder().wrapAndApplyHeader(buffer, 0, header);
        replay.commandId(1).subscriptionId(2).sequence(3).shard(0).endSequence(-1);
        frames.add(taken(replay.encodedLength()));
        final GroupEndEncoder end = new GroupEndEncoder().wrapAndApplyHeader(buffer, 0, header);
        end.commandId(1).queryId(2).topicMatches(3).matches(2).returned(1);
        frames.add(taken(end.encodedLength()));
        final QueryProgressEncoder progress = new QueryProgressEncoder().wrapAndApplyHeader(buffer, 0, header);
        progress.commandId(1).queryId(2).rows(3).scanned(2).matches(1);
        frames.add(taken(progress.encodedLength()));
        final ExplanationEncoder explanation = new ExplanationEncoder().wrapAndApplyHeader(buffer, 0, header);
        explanation.commandId(1).queryId(2).text(text());
        frames.add(taken(explanation.encodedLength()));
        return frames;
    }

    byte[] logon() {
        final LogonEncoder logon = new LogonEncoder().wrapAndApplyHeader(buffer, 0, header);
        logon.commandId(1).heartbeatIntervalMs(0).clientName(text()).user("").password("");
        logon.mechanism("M").putToken(new byte[2], 0, 2);
        return taken(logon.encodedLength());
    }

    byte[] publish(final int payloadLength) {
        final PublishEncoder publish = new PublishEncoder().wrapAndApplyHeader(buffer, 0, header);
        publish.commandId(2).publisherSequence(1).ackTypes().clear();
        publish.topic(text()).putPayload(new byte[payloadLength], 0, payloadLength);
        return taken(publish.encodedLength());
    }

    byte[] heartbeat() {
        return taken(
                new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header).encodedLength());
    }

    private byte[] subscribe() {
        final SubscribeEncoder subscribe = new SubscribeEncoder().wrapAndApplyHeader(buffer, 0, header);
        subscribe.commandId(3).subscriptionId(9).options().clear();
        subscribe.ackTypes().clear();
        subscribe.conflationMs(0).topN(-1).skipN(0).batchSize(0);
        return taken(subscribe
                .topic(text())
                .filter(text())
                .orderBy(text())
                .selection(text())
                .conflationKey(text())
                .encodedLength());
    }

    byte[] deliver() {
        final DeliverEncoder deliver = new DeliverEncoder().wrapAndApplyHeader(buffer, 0, header);
        int limit = deliver.subscriptionId(9)
                .shard(0)
                .topicId(1)
                .kind(DeliveryKind.PUBLISH)
                .limit();
        int end = limit;
        for (int i = random.nextInt(4); i >= 0; i--) {
            end = limit + RecordDescriptor.HEADER_LENGTH + random.nextInt(50);
            buffer.setMemory(limit, RecordDescriptor.HEADER_LENGTH, (byte) 0);
            buffer.putInt(limit + RecordDescriptor.LENGTH_OFFSET, end - limit, ByteOrder.LITTLE_ENDIAN);
            limit += RecordDescriptor.alignedLength(end - limit);
        }
        return bytes(random.nextBoolean() ? limit : end);
    }

    private String text() {
        final int length = random.nextInt(20);
        final StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(random.nextBoolean() ? 'a' + i : 0x20AC + i);
        }
        return new String(text.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private byte[] taken(final int encodedLength) {
        return bytes(FrameHeader.LENGTH + encodedLength);
    }

    private byte[] bytes(final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
