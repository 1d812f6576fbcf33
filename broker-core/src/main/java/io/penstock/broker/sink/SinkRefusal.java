package io.penstock.broker.sink;

import io.penstock.protocol.ErrorCode;
import java.util.Collection;

/** The refusal to open a sink or to take a block: the error, and what to do about it. */
final class SinkRefusal {
    private SinkRefusal() {}

    static SinkReply unknownSink(final SinkWriter writer, final Collection<String> names) {
        return new SinkReply.NotOpened(
                writer,
                ErrorCode.UNKNOWN_SINK,
                "sink: no such sink: " + writer.sink() + " (use one of " + String.join(", ", names) + ")");
    }

    static SinkReply tooManyProducers(final SinkWriter writer, final int producerCountMax) {
        return new SinkReply.NotOpened(
                writer,
                ErrorCode.LIMIT_REACHED,
                "sink: " + writer.sink() + " knows too many producers: " + producerCountMax
                        + " (use the same names again, or raise sinks.producerCountMax)");
    }

    static SinkReply tooOld(final BlockTransfer transfer, final Producer producer) {
        return new SinkReply.Refused(
                transfer,
                ErrorCode.BAD_BLOCK,
                "sink: block id is too old: " + transfer.blockId() + " (the highest is " + producer.highest()
                        + "; use a higher one)");
    }

    static SinkReply tooLong(final BlockTransfer transfer, final SinkFile sink) {
        return new SinkReply.Refused(
                transfer,
                ErrorCode.SINK_FULL,
                "sink: " + sink.settings().name() + " is as long as it may be: " + sink.position()
                        + " bytes (raise its lengthMax, or deliver to another one)");
    }

    /** The disk has no room, but may have some later. */
    static SinkReply diskFull(final BlockTransfer transfer, final SinkFile sink, final String cause) {
        return new SinkReply.Refused(
                transfer,
                ErrorCode.SINK_FULL,
                "sink: " + sink.settings().name() + ": cannot be written now: " + cause
                        + " (make room, and deliver the block again)");
    }

    /** The sink takes no block any more. */
    static SinkReply failed(final BlockTransfer transfer, final SinkFile sink) {
        return new SinkReply.Refused(
                transfer, ErrorCode.SINK_FAILED, "sink: " + sink.settings().name() + ": " + sink.failure());
    }
}
