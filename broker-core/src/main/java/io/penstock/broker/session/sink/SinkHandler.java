package io.penstock.broker.session.sink;

import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionSinks;
import io.penstock.broker.sink.BlockTransfer;
import io.penstock.broker.sink.IndexRecord;
import io.penstock.broker.sink.SinkCommand;
import io.penstock.broker.sink.SinkPort;
import io.penstock.broker.sink.SinkWriter;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.BlockDataDecoder;
import io.penstock.protocol.codec.CloseSinkDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.OfferBlockDecoder;
import io.penstock.protocol.codec.OpenSinkDecoder;
import io.penstock.transport.RemoteMemory;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Takes blocks from clients: asks the sink agent for room, and puts what comes into it. Confined to one I/O agent. */
public final class SinkHandler {
    /** Sinks that one client delivers to at once. */
    static final int WRITER_COUNT_MAX = 64;

    /** Blocks of one writer that are not answered yet. */
    static final int OFFER_COUNT_MAX = 1024;

    private static final int NAME_LENGTH_MAX = 255;
    private static final int MEMORY_KEY_LENGTH_MAX = 255;

    private final SessionContext context;
    private final SinkPort port;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OpenSinkDecoder openSinkCommand = new OpenSinkDecoder();
    private final OfferBlockDecoder offerBlockCommand = new OfferBlockDecoder();
    private final CloseSinkDecoder closeSinkCommand = new CloseSinkDecoder();

    /** Commands for which the sink agent had no room; sessions with commands for it are not read meanwhile. */
    private final ArrayDeque<SinkCommand> waiting = new ArrayDeque<>();

    /** Makes it for the sessions of one I/O agent. */
    public SinkHandler(final SessionContext context, final SinkPort port) {
        this.context = context;
        this.port = port;
    }

    private void submit(final SinkCommand command) {
        if (!waiting.isEmpty() || !port.offer(command)) {
            waiting.add(command);
        }
    }

    /** Hands over what waits; returns how much. */
    public int submitWaiting() {
        int count = 0;
        SinkCommand command;
        while ((command = waiting.peek()) != null && port.offer(command)) {
            waiting.remove();
            count++;
        }
        return count;
    }

    /** Whether the sink agent takes commands. */
    public boolean hasRoom() {
        return waiting.isEmpty();
    }

    /** Has a writer deliver to a sink, or refuses to. */
    public void onOpen(final Session session, final DirectBuffer buffer, final int offset) {
        final OpenSinkDecoder command = openSinkCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final int writerId = command.writerId();
        final long memoryLength = command.memoryLength();
        final String sink = command.sink();
        final String producer = command.producer();
        final String key = command.memoryKey();
        final SessionSinks sinks = session.openSinks();
        if (context.isDraining()) {
            refuse(session, commandId, ErrorCode.SHUTTING_DOWN, "sink: broker is shutting down (open it later)");
        } else if (!isName(sink) || !isName(producer)) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.BAD_TEXT,
                    "sink: name of sink or producer is empty, too long or not text (use 1 to " + NAME_LENGTH_MAX
                            + " printable characters)");
        } else if (!mayDeliver(session, sink)) {
            refuse(session, commandId, ErrorCode.NOT_AUTHORIZED, notAllowed(sink));
        } else if (sinks.writers().containsKey(writerId)) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.BAD_BLOCK,
                    "sink: writer id is in use: " + writerId + " (use another one)");
        } else if (sinks.isOpen(sink, producerOf(session, producer))) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.BAD_BLOCK,
                    "sink: producer is open on this connection already: " + producer
                            + " (close that writer, or use another name)");
        } else if (sinks.writers().size() >= WRITER_COUNT_MAX) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.LIMIT_REACHED,
                    "sink: too many writers of one client: " + WRITER_COUNT_MAX + " (close some)");
        } else if (port.memory() == null) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.UNKNOWN_SINK,
                    "sink: no such sink: " + sink + " (this broker has none; configure sinks.directory)");
        } else {
            final SinkWriter writer = new SinkWriter(
                    writerId,
                    session.id(),
                    commandId,
                    sink,
                    producerOf(session, producer),
                    memory(session, key, memoryLength));
            sinks.writers().put(writerId, writer);
            submit(new SinkCommand.Open(writer));
        }
    }

    /** The producer's name as it stands in the index. */
    private static String producerOf(final Session session, final String producer) {
        return session.profile().user() + IndexRecord.NAME_SEPARATOR + producer;
    }

    /** Memory that cannot be pulled from is none: its blocks are sent then. */
    private static @Nullable RemoteMemory memory(final Session session, final String key, final long length) {
        if (key.isEmpty() || key.length() > MEMORY_KEY_LENGTH_MAX || length <= 0) {
            return null;
        }
        try {
            return session.connection().remoteMemory(key, length);
        } catch (final IOException ignored) {
            return null;
        }
    }

    /** Has room made for a block, or refuses to. */
    public void onOffer(final Session session, final DirectBuffer buffer, final int offset) {
        final OfferBlockDecoder command = offerBlockCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final long blockId = command.blockId();
        final long memoryOffset = command.memoryOffset();
        final int length = command.length();
        final SinkWriter writer = session.openSinks().open(command.writerId());
        if (writer == null) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.UNKNOWN_SINK,
                    "sink: no such writer: " + command.writerId() + " (open the sink first)");
        } else if (context.isDraining()) {
            refuse(session, commandId, ErrorCode.SHUTTING_DOWN, "sink: broker is shutting down (offer it later)");
        } else if (context.gate().version() > 0 && !mayDeliver(session, writer.sink())) {
            refuse(session, commandId, ErrorCode.NOT_AUTHORIZED, notAllowed(writer.sink()));
        } else if (length <= 0 || length > port.blockLengthMax()) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.MESSAGE_TOO_LONG,
                    "sink: block has a bad length: " + length + " (use 1 to " + port.blockLengthMax() + ")");
        } else if (blockId <= 0 || writer.transfers().containsKey(blockId)) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.BAD_BLOCK,
                    "sink: block id is not above 0, or under way already: " + blockId + " (use the next one)");
        } else if (writer.transfers().size() >= OFFER_COUNT_MAX) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.LIMIT_REACHED,
                    "sink: too many blocks are under way: " + OFFER_COUNT_MAX + " (wait for some)");
        } else if (isOutside(writer.memory(), memoryOffset, length)) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.BAD_BLOCK,
                    "sink: block lies outside of the writer's memory: " + length + " bytes at " + memoryOffset
                            + " (use -1 and send it)");
        } else {
            final BlockTransfer transfer =
                    new BlockTransfer(writer, commandId, blockId, memoryOffset, length, (int) command.checksum());
            writer.transfers().put(blockId, transfer);
            submit(new SinkCommand.Offer(transfer));
        }
    }

    private static boolean isOutside(final @Nullable RemoteMemory memory, final long offset, final int length) {
        return offset != -1 && (memory == null || offset < 0 || offset > memory.length() - length);
    }

    /** A part of a block. Returns false when it has to be offered again later. */
    public boolean onData(final Session session, final DirectBuffer buffer, final int offset, final int length) {
        if (!waiting.isEmpty()) {
            return false;
        }
        final int block = offset + FrameHeader.LENGTH;
        final int bytes = block + FrameHeader.blockLength(buffer, offset);
        final int byteCount = offset + length - bytes;
        final SessionSinks sinks = session.openSinks();
        final SinkWriter writer =
                sinks.open(buffer.getInt(block + BlockDataDecoder.writerIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN));
        final long blockId = buffer.getLong(block + BlockDataDecoder.blockIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        final int at = buffer.getInt(block + BlockDataDecoder.partOffsetEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        final BlockTransfer transfer =
                writer == null ? null : writer.transfers().get(blockId);
        final UnsafeBuffer memory = port.memory();
        if (memory == null
                || transfer == null
                || !transfer.isGranted()
                || at != transfer.received()
                || byteCount <= 0
                || byteCount > transfer.length() - transfer.received()) {
            context.fail(
                    session,
                    0,
                    ErrorCode.BAD_FRAME,
                    "sink: " + byteCount + " bytes at " + at + " of block " + blockId
                            + " were not asked for (send a block once it is granted, in order, and no more than it"
                            + " has)");
            return true;
        }
        memory.putBytes(transfer.offset() + at, buffer, bytes, byteCount);
        transfer.onReceived(byteCount);
        sinks.onProgress(context.nowNs());
        context.counters().payloadBytesReceived().getAndAddPlain(byteCount);
        context.counters().payloadBytesCopied().getAndAddPlain(byteCount);
        if (transfer.received() == transfer.length()) {
            transfer.isGranted(false);
            sinks.onGrantDone();
            submit(new SinkCommand.Complete(transfer));
        }
        return true;
    }

    /** Ends a writer. */
    public void onClose(final Session session, final DirectBuffer buffer, final int offset) {
        final CloseSinkDecoder command = closeSinkCommand.wrapAndApplyHeader(buffer, offset, header);
        final SessionSinks sinks = session.openSinks();
        final SinkWriter writer = sinks.writers().remove(command.writerId());
        if (writer == null) {
            refuse(
                    session,
                    command.commandId(),
                    ErrorCode.UNKNOWN_SINK,
                    "sink: no such writer: " + command.writerId() + " (it was closed, or never open)");
            return;
        }
        close(sinks, writer);
        if (command.ackTypes().processed()) {
            context.answers().ack(session.outbox(), command.commandId(), 0, AckType.PROCESSED);
        }
    }

    private void close(final SessionSinks sinks, final SinkWriter writer) {
        for (final BlockTransfer transfer : writer.transfers().values()) {
            if (transfer.isGranted()) {
                sinks.onGrantDone();
            }
        }
        writer.transfers().clear();
        writer.isOpen(false);
        submit(new SinkCommand.Close(writer));
    }

    /** The session has ended. */
    public void onClosed(final Session session) {
        final SessionSinks sinks = session.sinks();
        if (sinks != null) {
            session.forgetSinks();
            for (final SinkWriter writer : sinks.writers().values()) {
                close(sinks, writer);
            }
        }
    }

    private boolean mayDeliver(final Session session, final String sink) {
        return context.gate().allows(session.profile().principal(), Action.DELIVER, sink);
    }

    private static String notAllowed(final String sink) {
        return "sink: " + sink + ": this client may not deliver to it (ask for permission)";
    }

    /** Whether a client holds room for a block and sends nothing. */
    public boolean isStuck(final Session session, final long patienceNs) {
        final SessionSinks sinks = session.sinks();
        return sinks != null && sinks.isStuck(context.nowNs(), patienceNs);
    }

    private void refuse(final Session session, final long commandId, final ErrorCode code, final String text) {
        context.refuse(session, commandId, 0, 0, code, text);
    }

    private static boolean isName(final String text) {
        if (text.isEmpty() || text.length() > NAME_LENGTH_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i)) || text.charAt(i) == '\uFFFD') {
                return false;
            }
        }
        return true;
    }
}
