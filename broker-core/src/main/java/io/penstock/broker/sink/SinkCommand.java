package io.penstock.broker.sink;

/** A command of an I/O agent to the sink agent. */
public sealed interface SinkCommand {
    /** A client wants to deliver to a sink; answered by {@link SinkReply.Opened} or {@link SinkReply.Refused}. */
    record Open(SinkWriter writer) implements SinkCommand {}

    /** A block waits for room. */
    record Offer(BlockTransfer transfer) implements SinkCommand {}

    /** All of a block has come. */
    record Complete(BlockTransfer transfer) implements SinkCommand {}

    /** Nothing more comes from a writer, whose blocks that are not stored are dropped. */
    record Close(SinkWriter writer) implements SinkCommand {}
}
