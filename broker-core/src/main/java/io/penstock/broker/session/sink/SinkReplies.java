package io.penstock.broker.session.sink;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionSinks;
import io.penstock.broker.sink.BlockTransfer;
import io.penstock.broker.sink.IndexRecord;
import io.penstock.broker.sink.SinkPort;
import io.penstock.broker.sink.SinkReply;
import io.penstock.broker.sink.SinkWriter;
import io.penstock.protocol.ErrorCode;

/**
 * Takes the answers of the sink agent, and notifies clients of the results for their blocks. Confined to one I/O agent.
 */
public final class SinkReplies {
    private final SessionContext context;
    private final SinkPort port;

    /** Makes it for the sessions of one I/O agent. */
    public SinkReplies(final SessionContext context, final SinkPort port) {
        this.context = context;
        this.port = port;
    }

    /** The sink agent has answered a session that is there. */
    public void onReply(final Session session, final SinkReply reply) {
        if (reply instanceof SinkReply.Replaced replaced) {
            final String producer = replaced.writer().producer();
            context.fail(
                    session,
                    0,
                    ErrorCode.REPLACED,
                    "sink: another connection delivers to " + replaced.writer().sink() + " as '"
                            + producer.substring(producer.indexOf(IndexRecord.NAME_SEPARATOR) + 1)
                            + "' (give each producer its own name)");
        } else {
            session.openSinks().replies().add(reply);
        }
    }

    /** Sends a client the results for its blocks, as far as there is room. Returns their number. */
    public int sendReplies(final Session session) {
        final SessionSinks sinks = session.sinks();
        int count = 0;
        while (sinks != null && !sinks.replies().isEmpty() && session.outbox().hasRoom()) {
            send(session, sinks, sinks.replies().remove());
            count++;
        }
        return count;
    }

    private void send(final Session session, final SessionSinks sinks, final SinkReply reply) {
        if (reply instanceof SinkReply.Opened opened) {
            final SinkWriter writer = opened.writer();
            if (sinks.writers().get(writer.writerId()) == writer) {
                writer.isOpen(true);
                context.answers()
                        .sinkOpened(
                                session.outbox(),
                                writer.commandId(),
                                writer.writerId(),
                                opened.blockId(),
                                port.blockLengthMax(),
                                writer.memory() != null);
            }
        } else if (reply instanceof SinkReply.NotOpened failed) {
            sinks.writers().remove(failed.writer().writerId(), failed.writer());
            context.refuse(session, failed.writer().commandId(), 0, 0, failed.code(), failed.text());
        } else if (reply instanceof SinkReply.Granted granted) {
            final BlockTransfer transfer = granted.transfer();
            if (isUnderWay(sinks, transfer)) {
                transfer.isGranted(true);
                sinks.onGranted(context.nowNs());
                context.answers()
                        .blockGranted(session.outbox(), transfer.writer().writerId(), transfer.blockId());
            }
        } else if (reply instanceof SinkReply.Stored stored) {
            final BlockTransfer transfer = stored.transfer();
            if (isUnderWay(sinks, transfer)) {
                transfer.writer().transfers().remove(transfer.blockId());
                context.answers()
                        .blockStored(
                                session.outbox(),
                                transfer.commandId(),
                                transfer.writer().writerId(),
                                transfer.blockId(),
                                stored.number(),
                                stored.offset());
            }
        } else if (reply instanceof SinkReply.Refused refused) {
            final BlockTransfer transfer = refused.transfer();
            if (isUnderWay(sinks, transfer)) {
                transfer.writer().transfers().remove(transfer.blockId());
                context.refuse(session, transfer.commandId(), 0, 0, refused.code(), refused.text());
            }
        }
    }

    /** Not when its writer was closed meanwhile. */
    private static boolean isUnderWay(final SessionSinks sinks, final BlockTransfer transfer) {
        final SinkWriter writer = transfer.writer();
        return sinks.writers().get(writer.writerId()) == writer
                && writer.transfers().get(transfer.blockId()) == transfer;
    }

    /** Whether no reply is due to a client, and none of its blocks is under way. */
    public static boolean isDone(final Session session) {
        return session.sinks() == null
                || (session.sinks().replies().isEmpty() && !session.sinks().hasTransfers());
    }

    /** Whether a reply is due to a client. */
    public static boolean isSending(final Session session) {
        return session.sinks() != null && !session.sinks().replies().isEmpty();
    }
}
