package io.penstock.broker.shard.replica;

import static io.penstock.broker.shard.order.CommandHeader.BATCH_LENGTH;
import static io.penstock.broker.shard.order.CommandHeader.COMMAND_LENGTH_MAX;
import static io.penstock.broker.shard.order.CommandHeader.PIECE_LENGTH_MAX;

import io.penstock.broker.shard.command.DeleteKey;
import io.penstock.broker.shard.command.OrderedCommand;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandWriter;
import io.penstock.broker.shard.order.MessageEntry;
import io.penstock.broker.shard.order.PieceHeader;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * What an I/O agent has for a shard, as numbered commands: messages together in batches, everything else each for itself. They
 * are kept until they are applied here, and handed over again whenever they may be lost. Owned by the I/O agent.
 */
final class CommandBatch {
    /** A ring that begins anew may leave so much unused. */
    private static final int SLACK = 2 * BATCH_LENGTH;

    private final CommandOrigin origin;
    private final OriginProgress progress;
    private final PendingCommands inFlight;
    private final Handover handover;
    private final CommandWriter writer = new CommandWriter();

    /** The open batch: where it is, how long, and how many entries it has; 0 when none is open. */
    private int batchAt;

    private int batchLength;
    private int batchCount;

    /** The command of which parts are not in flight yet; null for none. */
    private @Nullable OrderedCommand command;

    /** Whether a part of it is written that there was no room for. */
    private boolean isWritten;

    private boolean isLastPart;

    /** Long messages so far. */
    private long stagings;

    /**
     * With nothing in it.
     *
     * @param origin         of its commands.
     * @param sender         takes them.
     * @param progress       says which are applied.
     * @param clock          for waiting.
     * @param inFlightLength bound of those that are not applied, in bytes, a power of two.
     */
    CommandBatch(
            final CommandOrigin origin,
            final CommandSender sender,
            final OriginProgress progress,
            final NanoClock clock,
            final int inFlightLength) {
        this.origin = origin;
        this.progress = progress;
        inFlight = new PendingCommands(inFlightLength);
        handover = new Handover(inFlight, sender, clock);
    }

    /** Takes a message; false when there is no room now. */
    boolean add(final Publication publication) {
        final int length = MessageEntry.lengthOf(publication);
        if (!reserve(length)) {
            return false;
        }
        MessageEntry.put(inFlight.memory(), batchAt + batchLength, publication);
        batchLength += length;
        batchCount++;
        return true;
    }

    /** The same for a message whose bytes stay where they are until it is applied. */
    boolean addStaged(final Publication publication) {
        if (CommandHeader.LENGTH + MessageEntry.lengthOf(publication) <= COMMAND_LENGTH_MAX) {
            return add(publication);
        }
        final int length = publication.payloadLength() + publication.headersLength();
        final int pieceCount = (length + PIECE_LENGTH_MAX - 1) / PIECE_LENGTH_MAX;
        final int entryLength = MessageEntry.stagedLengthOf(publication);
        final int headLength = MessageEntry.align(CommandHeader.LENGTH + PieceHeader.LENGTH);
        close();
        // All or nothing: the pieces are of no use without the rest.
        if (!flushCommand() || !inFlight.hasRoom(pieceCount + 2, pieceCount * headLength + entryLength + 2 * SLACK)) {
            return false;
        }
        stagings++;
        for (int start = 0; start < length; start += PIECE_LENGTH_MAX) {
            final int at = inFlight.claim(headLength);
            final MutableDirectBuffer memory = inFlight.memory();
            CommandHeader.put(memory, at, CommandHeader.TEMPLATE_PIECE, origin, inFlight.next());
            PieceHeader.put(memory, at + CommandHeader.LENGTH, stagings, length, start);
            inFlight.add(
                    CommandHeader.LENGTH + PieceHeader.LENGTH,
                    publication.payload(),
                    publication.payloadOffset() + start,
                    Math.min(PIECE_LENGTH_MAX, length - start));
        }
        if (!reserve(entryLength)) {
            throw new IllegalStateException("commands in flight: no room for a message after its pieces");
        }
        MessageEntry.putStaged(inFlight.memory(), batchAt + batchLength, publication, stagings);
        batchLength += entryLength;
        batchCount++;
        return true;
    }

    /** Takes a command, which comes back as its reply. Returns false when there is no room now. */
    boolean add(final OrderedCommand ordered) {
        if (ordered instanceof DeleteKey delete) {
            return addDelete(delete);
        }
        if (!flushCommand() || !progress.mayAwait()) {
            return false;
        }
        close();
        write(ordered);
        progress.await(ordered);
        command = ordered;
        flushCommand();
        return true;
    }

    private void write(final OrderedCommand ordered) {
        isLastPart = ordered.encode(writer, origin, inFlight.next());
        if (writer.length() > COMMAND_LENGTH_MAX) {
            throw new IllegalArgumentException("command of " + writer.length() + " bytes: at most " + COMMAND_LENGTH_MAX
                    + " can be ordered (use a shorter filter)");
        }
        isWritten = true;
    }

    private boolean addDelete(final DeleteKey delete) {
        final int length = MessageEntry.deleteLengthOf(delete.keyLength());
        if (!progress.mayAwait() || !reserve(length)) {
            return false;
        }
        progress.await(delete);
        MessageEntry.putDelete(
                inFlight.memory(), batchAt + batchLength, delete.topicId(), delete.key(), delete.keyLength());
        batchLength += length;
        batchCount++;
        return true;
    }

    /** Finds room for an entry in a batch. */
    private boolean reserve(final int entryLength) {
        if (batchCount > 0 && batchLength + entryLength > BATCH_LENGTH) {
            close();
        }
        if (batchCount == 0) {
            if (!flushCommand()) {
                return false;
            }
            final int at = inFlight.claim(Math.max(BATCH_LENGTH, CommandHeader.LENGTH + entryLength));
            if (at < 0) {
                return false;
            }
            CommandHeader.put(inFlight.memory(), at, CommandHeader.TEMPLATE_BATCH, origin, inFlight.next());
            batchAt = at;
            batchLength = CommandHeader.LENGTH;
        }
        return true;
    }

    private void close() {
        if (batchCount > 0) {
            CommandHeader.count(inFlight.memory(), batchAt, batchCount);
            inFlight.add(batchLength);
            batchCount = 0;
        }
    }

    /** Writes what is left of a command. Returns false when there is no room for all of it now. */
    private boolean flushCommand() {
        while (command != null) {
            if (!isWritten) {
                write(command);
            }
            final int at = inFlight.claim(MessageEntry.align(writer.length()));
            if (at < 0) {
                return false;
            }
            inFlight.memory().putBytes(at, writer.buffer(), 0, writer.length());
            inFlight.add(writer.length());
            isWritten = false;
            if (isLastPart) {
                command = null;
            }
        }
        return true;
    }

    /** Hands over what there is, as far as it is taken. To be called at the end of each duty cycle. */
    void send() {
        close();
        flushCommand();
        handover.send();
    }

    /** Looks which commands are applied, and keeps them no longer. */
    void sync() {
        handover.onApplied(progress.appliedNumber());
    }
}
