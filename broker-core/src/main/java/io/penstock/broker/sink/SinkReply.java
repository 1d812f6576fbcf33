package io.penstock.broker.sink;

import io.penstock.broker.concurrent.IoNotice;
import io.penstock.protocol.ErrorCode;

/** An answer of the sink agent to a session. */
public sealed interface SinkReply extends IoNotice {
    /** The session, which may have ended since. */
    long sessionId();

    /**
     * Blocks may be offered.
     *
     * @param writer  that was opened.
     * @param blockId highest that is stored of its producer; 0 for none.
     */
    record Opened(SinkWriter writer, long blockId) implements SinkReply {
        @Override
        public long sessionId() {
            return writer.sessionId();
        }
    }

    /** A sink cannot be delivered to. */
    record NotOpened(SinkWriter writer, ErrorCode code, String text) implements SinkReply {
        @Override
        public long sessionId() {
            return writer.sessionId();
        }
    }

    /** There is room for a block. */
    record Granted(BlockTransfer transfer) implements SinkReply {
        @Override
        public long sessionId() {
            return transfer.writer().sessionId();
        }
    }

    /**
     * A block is in the sink.
     *
     * @param transfer of it.
     * @param number   of it in the sink; 0 when it was stored before.
     * @param offset   of it in the file; -1 when it was stored before.
     */
    record Stored(BlockTransfer transfer, long number, long offset) implements SinkReply {
        @Override
        public long sessionId() {
            return transfer.writer().sessionId();
        }
    }

    /** A block is not, and will not be, in the sink. */
    record Refused(BlockTransfer transfer, ErrorCode code, String text) implements SinkReply {
        @Override
        public long sessionId() {
            return transfer.writer().sessionId();
        }
    }

    /** Another connection delivers as the same producer now. */
    record Replaced(SinkWriter writer) implements SinkReply {
        @Override
        public long sessionId() {
            return writer.sessionId();
        }
    }
}
