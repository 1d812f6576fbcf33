package io.penstock.broker.shard.order;

import static io.penstock.broker.shard.order.CommandHeader.COMMAND_LENGTH_MAX;
import static io.penstock.broker.shard.order.CommandHeader.PIECE_LENGTH_MAX;
import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_BATCH;
import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_PIECE;
import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_TICK;

import io.penstock.format.KeyReader;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Says whether bytes are a command, before anything of it is applied: after that, reading it stays within its bytes. What the
 * names and texts in it mean is not looked at.
 */
public final class CommandCheck {
    private CommandCheck() {}

    /**
     * Looks at a command.
     *
     * @param buffer           that holds it.
     * @param offset           of its first byte.
     * @param length           in bytes.
     * @param messageLengthMax bound of a message, in bytes.
     * @return what is wrong with it, for people; null when nothing is.
     */
    public static @Nullable String check(
            final DirectBuffer buffer, final int offset, final int length, final int messageLengthMax) {
        if (length < CommandHeader.LENGTH || length > COMMAND_LENGTH_MAX) {
            return "of " + length + " bytes (" + CommandHeader.LENGTH + " to " + COMMAND_LENGTH_MAX + ")";
        }
        if (CommandHeader.schema(buffer, offset) != CommandHeader.SCHEMA
                || CommandHeader.blockLength(buffer, offset) != CommandHeader.LENGTH) {
            return "begins with other bytes";
        }
        if (CommandHeader.version(buffer, offset) != CommandHeader.VERSION) {
            return "of version " + CommandHeader.version(buffer, offset) + " (" + CommandHeader.VERSION
                    + " is known: run the same version on all nodes)";
        }
        final int template = CommandHeader.template(buffer, offset);
        if (template < TEMPLATE_BATCH || template > TEMPLATE_TICK) {
            return "of an unknown kind: " + template;
        }
        final String wrong = checkOrigin(buffer, offset, template);
        if (wrong != null) {
            return wrong;
        }
        return switch (template) {
            case TEMPLATE_BATCH -> checkBatch(buffer, offset, length, messageLengthMax);
            case TEMPLATE_PIECE -> checkPiece(buffer, offset, length, messageLengthMax);
            case TEMPLATE_TICK -> length == CommandHeader.LENGTH ? null : "a tick of " + length + " bytes";
            default -> null;
        };
    }

    private static @Nullable String checkOrigin(final DirectBuffer buffer, final int offset, final int template) {
        final int member = CommandHeader.member(buffer, offset);
        final int ioAgent = CommandHeader.ioAgent(buffer, offset);
        if (member > CommandHeader.MEMBER_MAX) {
            return "of no member: " + member;
        }
        if (template == TEMPLATE_TICK ? ioAgent != CommandHeader.TICK_AGENT : ioAgent > CommandHeader.IO_AGENT_MAX) {
            return "of no I/O agent: " + ioAgent;
        }
        if (CommandHeader.incarnation(buffer, offset) <= 0) {
            return "of no incarnation: " + CommandHeader.incarnation(buffer, offset);
        }
        if (template != TEMPLATE_TICK && CommandHeader.number(buffer, offset) <= 0) {
            return "without a number: " + CommandHeader.number(buffer, offset);
        }
        return null;
    }

    private static @Nullable String checkBatch(
            final DirectBuffer buffer, final int offset, final int length, final int messageLengthMax) {
        final int count = CommandHeader.count(buffer, offset);
        final int end = offset + length;
        int at = offset + CommandHeader.LENGTH;
        for (int i = 0; i < count; i++) {
            final int left = end - at;
            final int entryLength = left < MessageEntry.HEADER_LENGTH ? 0 : MessageEntry.length(buffer, at);
            if (entryLength < MessageEntry.HEADER_LENGTH || entryLength > left) {
                return "entry " + i + " of " + entryLength + " bytes, with " + left + " left";
            }
            final String wrong = checkEntry(buffer, at, entryLength, messageLengthMax);
            if (wrong != null) {
                return "entry " + i + ": " + wrong;
            }
            at += MessageEntry.align(entryLength);
        }
        return count <= 0 || at != end ? "a batch of " + count + " entries, and " + (end - at) + " bytes more" : null;
    }

    private static @Nullable String checkEntry(
            final DirectBuffer buffer, final int at, final int length, final int messageLengthMax) {
        final int type = MessageEntry.type(buffer, at);
        final int flags = MessageEntry.flags(buffer, at);
        final int keyLength = MessageEntry.keyLength(buffer, at);
        final int headersLength = MessageEntry.headersLength(buffer, at);
        if (type < MessageEntry.TYPE_MESSAGE || type > MessageEntry.TYPE_DELETE) {
            return "of an unknown type: " + type;
        }
        final boolean isRecord = (flags & MessageEntry.FLAG_RECORD) != 0;
        final boolean isChange = (flags & MessageEntry.FLAG_CHANGE) != 0;
        final boolean isNeeded = isRecord || (flags & MessageEntry.FLAG_REQUEST) != 0;
        final boolean isDelta = (flags & MessageEntry.FLAG_DELTA) != 0;
        if ((flags & ~MessageEntry.FLAGS) != 0
                || isChange != isNeeded
                || (isDelta && !isRecord)
                || (type == MessageEntry.TYPE_DELETE && flags != 0)) {
            return "with wrong flags: " + flags;
        }
        final boolean hasKey = isRecord || type == MessageEntry.TYPE_DELETE;
        if (keyLength < 0 || keyLength > KeyReader.KEY_LENGTH_MAX || (!hasKey && keyLength > 0)) {
            return "with a key of " + keyLength + " bytes";
        }
        if (headersLength < 0 || headersLength > messageLengthMax) {
            return "with headers of " + headersLength + " bytes";
        }
        final int bodyLength = length - MessageEntry.keyOffset(flags) - keyLength;
        return checkBody(buffer, at, type, bodyLength, headersLength, messageLengthMax);
    }

    private static @Nullable String checkBody(
            final DirectBuffer buffer,
            final int at,
            final int type,
            final int bodyLength,
            final int headersLength,
            final int messageLengthMax) {
        if (type == MessageEntry.TYPE_DELETE) {
            return bodyLength == 0 && headersLength == 0 ? null : "a delete with " + bodyLength + " bytes more";
        }
        if (type == MessageEntry.TYPE_STAGED) {
            if (bodyLength != MessageEntry.STAGED_LENGTH) {
                return "of a message in pieces, with " + bodyLength + " bytes";
            }
            final int payloadLength = MessageEntry.stagedLength(buffer, at);
            return payloadLength < 0 || payloadLength > messageLengthMax
                    ? "of a message of " + payloadLength + " bytes"
                    : null;
        }
        final int payloadLength = bodyLength - headersLength;
        return payloadLength < 0 || payloadLength > messageLengthMax
                ? "of a message of " + payloadLength + " bytes"
                : null;
    }

    private static @Nullable String checkPiece(
            final DirectBuffer buffer, final int offset, final int length, final int messageLengthMax) {
        final int at = offset + CommandHeader.LENGTH;
        final int pieceLength = length - CommandHeader.LENGTH - PieceHeader.LENGTH;
        if (pieceLength <= 0 || pieceLength > PIECE_LENGTH_MAX) {
            return "a piece of " + pieceLength + " bytes";
        }
        final int wholeLength = PieceHeader.wholeLength(buffer, at);
        final int start = PieceHeader.start(buffer, at);
        // Payload and headers, each within the bound.
        if (wholeLength <= 0 || wholeLength > 2L * messageLengthMax) {
            return "a piece of a message of " + wholeLength + " bytes";
        }
        return start < 0 || start > wholeLength - pieceLength
                ? "a piece at " + start + " of " + wholeLength + " bytes"
                : null;
    }
}
