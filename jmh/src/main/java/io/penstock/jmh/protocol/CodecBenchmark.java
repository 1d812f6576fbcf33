package io.penstock.jmh.protocol;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameCheck;
import io.penstock.protocol.codec.DeliverEncoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.PublishDecoder;
import io.penstock.protocol.codec.PublishEncoder;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The frames of a message's path: a publish of 100 bytes encoded, checked and decoded, and a delivery's header. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CodecBenchmark {
    private static final int PAYLOAD_LENGTH = 100;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1024));
    private final UnsafeBuffer payload = new UnsafeBuffer(ByteBuffer.allocateDirect(PAYLOAD_LENGTH));
    private final UnsafeBuffer topic = new UnsafeBuffer(new byte[] {'o', 'r', 'd', 'e', 'r', 's'});
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final PublishEncoder publish = new PublishEncoder();
    private final PublishDecoder publishDecoder = new PublishDecoder();
    private final DeliverEncoder deliver = new DeliverEncoder();
    private int length;
    private long commandId;

    /** Leaves a publish in the buffer. */
    @Setup
    public void setUp() {
        length = encodePublish();
    }

    /**
     * Encodes a publish.
     *
     * @return length of the frame.
     */
    @Benchmark
    public int encodePublish() {
        publish.wrapAndApplyHeader(buffer, 0, header).commandId(++commandId).publisherSequence(commandId);
        publish.ackTypes().clear();
        publish.putTopic(topic, 0, topic.capacity()).putPayload(payload, 0, PAYLOAD_LENGTH);
        return publish.limit();
    }

    /**
     * Checks a publish.
     *
     * @return null.
     */
    @Benchmark
    public @Nullable ErrorCode checkPublish() {
        return FrameCheck.checkCommand(buffer, 0, length);
    }

    /**
     * Decodes a publish.
     *
     * @return something of all its fields.
     */
    @Benchmark
    public long decodePublish() {
        publishDecoder.wrapAndApplyHeader(buffer, 0, headerDecoder);
        final long fields = publishDecoder.commandId() + publishDecoder.publisherSequence();
        return fields + publishDecoder.skipTopic() + publishDecoder.payloadLength();
    }

    /**
     * Encodes the header of a delivery.
     *
     * @return length of the header.
     */
    @Benchmark
    public int encodeDeliver() {
        deliver.wrapAndApplyHeader(buffer, 512, header)
                .subscriptionId(++commandId)
                .shard(0)
                .topicId(1)
                .kind(io.penstock.protocol.codec.DeliveryKind.PUBLISH);
        return deliver.limit() - 512;
    }
}
