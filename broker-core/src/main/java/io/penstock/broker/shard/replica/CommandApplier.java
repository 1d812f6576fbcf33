package io.penstock.broker.shard.replica;

import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_BATCH;
import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_PIECE;
import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_TICK;

import io.penstock.broker.shard.OrderedChanges;
import io.penstock.broker.shard.Shard;
import io.penstock.broker.shard.command.DeleteKey;
import io.penstock.broker.shard.command.OrderedCommand;
import io.penstock.broker.shard.command.OrderedCommands;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.order.BadCommandException;
import io.penstock.broker.shard.order.CommandCheck;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.MessageEntry;
import io.penstock.broker.shard.order.PieceHeader;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Applies decided commands to a shard, one after the other. What it does follows from the commands and their times alone; what
 * this node has no room for only delays it. A command that is not the next one of its origin is dropped, and so are bytes that
 * are no command. Owned by the sequencer.
 */
final class CommandApplier implements CommandSource.Handler {
    private final Shard shard;
    private final OrderedChanges changes;
    private final OrderedCommands commands;
    private final OwnOrigins own;
    private final Predicate<ShardCommand> replies;
    private final Consumer<String> onBadCommand;
    private final Origins origins = new Origins();
    private final Stagings stagings = new Stagings();
    private final Publication publication = new Publication();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final ArrayDeque<ShardCommand> done = new ArrayDeque<>();
    private final OpenCommand open = new OpenCommand();
    private long tickCount;

    /**
     * For a shard that has applied nothing.
     *
     * @param shard        to apply to.
     * @param commands     makes commands of bytes.
     * @param own          the origins of this node.
     * @param replies      takes a command of this node back to its agent; false when there is no room now.
     * @param onBadCommand is told what is wrong with bytes that are no command.
     */
    CommandApplier(
            final Shard shard,
            final OrderedCommands commands,
            final OwnOrigins own,
            final Predicate<ShardCommand> replies,
            final Consumer<String> onBadCommand) {
        this.shard = shard;
        changes = shard.orderedChanges();
        this.commands = commands;
        this.own = own;
        this.replies = replies;
        this.onBadCommand = onBadCommand;
    }

    /** How many ticks were applied, whoever has handed them in. */
    long tickCount() {
        return tickCount;
    }

    /** Whether a command has begun, and its bytes have to come again. */
    boolean isOpen() {
        return open.step != Step.NONE;
    }

    @Override
    public boolean onCommand(final long timestampNs, final DirectBuffer buffer, final int offset, final int length) {
        if (open.step == Step.NONE && !begin(timestampNs, buffer, offset, length)) {
            return true;
        }
        if (open.step == Step.APPLYING) {
            if (!apply(buffer, offset, length)) {
                changes.publishSoFar();
                return false;
            }
            open.step = Step.ENDING;
        }
        if (open.step == Step.ENDING) {
            if (!changes.end()) {
                return false;
            }
            end(buffer, offset);
            open.step = Step.REPLYING;
        }
        if (!reply()) {
            return false;
        }
        open.clear();
        return true;
    }

    private boolean begin(final long timestampNs, final DirectBuffer buffer, final int offset, final int length) {
        final String wrong = CommandCheck.check(buffer, offset, length, changes.messageLengthMax());
        if (wrong != null) {
            onBadCommand.accept(wrong);
            return false;
        }
        if (CommandHeader.shard(buffer, offset) != shard.number()) {
            onBadCommand.accept("of another shard: " + CommandHeader.shard(buffer, offset));
            return false;
        }
        final int template = CommandHeader.template(buffer, offset);
        if (template != TEMPLATE_TICK && !beginOfOrigin(template, buffer, offset, length)) {
            return false;
        }
        open.template = template;
        open.entryOffset = CommandHeader.LENGTH;
        open.step = Step.APPLYING;
        changes.begin(timestampNs, open.progress == null);
        return true;
    }

    private boolean beginOfOrigin(final int template, final DirectBuffer buffer, final int offset, final int length) {
        final int member = CommandHeader.member(buffer, offset);
        final int ioAgent = CommandHeader.ioAgent(buffer, offset);
        final long incarnation = CommandHeader.incarnation(buffer, offset);
        final int origin = Origins.index(member, ioAgent);
        if (!origins.isNext(origin, incarnation, CommandHeader.number(buffer, offset))) {
            return false;
        }
        if (template != TEMPLATE_BATCH && template != TEMPLATE_PIECE) {
            try {
                open.command = commands.decode(buffer, offset, length);
            } catch (final BadCommandException e) {
                onBadCommand.accept(e.getMessage());
                return false;
            }
        }
        if (origins.isNew(origin, incarnation)) {
            stagings.drop(origin);
        }
        open.origin = origin;
        open.progress = own.find(member, ioAgent, incarnation);
        return true;
    }

    /** Applies what is left of the open command. Returns false when there is no room now. */
    private boolean apply(final DirectBuffer buffer, final int offset, final int length) {
        return switch (open.template) {
            case TEMPLATE_BATCH -> applyEntries(buffer, offset);
            case TEMPLATE_TICK -> changes.expire();
            case TEMPLATE_PIECE -> addPiece(buffer, offset, length);
            default -> execute();
        };
    }

    private boolean applyEntries(final DirectBuffer buffer, final int offset) {
        final int count = CommandHeader.count(buffer, offset);
        while (open.entry < count) {
            final int at = offset + open.entryOffset;
            final boolean isApplied = MessageEntry.type(buffer, at) == MessageEntry.TYPE_DELETE
                    ? applyDelete(buffer, at)
                    : applyMessage(buffer, at);
            if (!isApplied) {
                return false;
            }
            open.entry++;
            open.entryOffset += MessageEntry.align(MessageEntry.length(buffer, at));
        }
        return true;
    }

    private boolean applyMessage(final DirectBuffer buffer, final int at) {
        MessageEntry.read(buffer, at, publication);
        if (!isKnown(buffer, at)) {
            return own(0, 0) && giveBack(buffer, at);
        }
        if (!changes.apply(publication)) {
            return false;
        }
        final boolean isDuplicate = changes.isDuplicate();
        if (!own(isDuplicate ? publication.publisherId() : 0, changes.appliedSequence())) {
            return false;
        }
        if (isDuplicate) {
            shard.counters().duplicates().incrementPlain();
        }
        return giveBack(buffer, at);
    }

    /** A long message does not come again: its room is given back. */
    private boolean giveBack(final DirectBuffer buffer, final int at) {
        if (MessageEntry.type(buffer, at) == MessageEntry.TYPE_STAGED) {
            publication.payload(key, 0, 0);
            stagings.onApplied(open.origin);
        }
        return true;
    }

    /** Whether what a message refers to was in commands before it. If not, its origin has made a mistake. */
    private boolean isKnown(final DirectBuffer buffer, final int at) {
        final int publisher = publication.publisherId();
        if (publisher < 0 || publisher >= shard.publishers().nextId()) {
            onBadCommand.accept("a message of no publisher: " + publisher);
            return false;
        }
        if (!changes.isFit(publication)) {
            onBadCommand.accept("a message that its topic does not take: " + publication.topicId());
            return false;
        }
        if (MessageEntry.type(buffer, at) == MessageEntry.TYPE_STAGED) {
            final int length = MessageEntry.stagedLength(buffer, at);
            final DirectBuffer staged = stagings.find(
                    open.origin, MessageEntry.staging(buffer, at), (long) length + publication.headersLength());
            if (staged == null) {
                onBadCommand.accept("a message whose pieces have not come");
                return false;
            }
            publication.payload(staged, 0, length);
        }
        return true;
    }

    /** A message is applied: its agent is told if it is one of this node. */
    private boolean own(final int duplicateOf, final long sequence) {
        final OriginProgress progress = open.progress;
        return progress == null || progress.onMessage(duplicateOf, sequence);
    }

    private boolean applyDelete(final DirectBuffer buffer, final int at) {
        final int keyLength = MessageEntry.keyLength(buffer, at);
        key.wrap(buffer, MessageEntry.keyAt(buffer, at), keyLength);
        final int deleted = changes.operations().delete(MessageEntry.topicId(buffer, at), key, keyLength);
        if (deleted < 0) {
            return false;
        }
        final OriginProgress progress = open.progress;
        if (progress != null) {
            ((DeleteKey) progress.awaited()).onDeleted(deleted);
            done.add(progress.takeAwaited());
        }
        return true;
    }

    private boolean addPiece(final DirectBuffer buffer, final int offset, final int length) {
        final int at = offset + CommandHeader.LENGTH;
        final String wrong = stagings.add(open.origin, buffer, at, length - CommandHeader.LENGTH - PieceHeader.LENGTH);
        if (wrong != null) {
            onBadCommand.accept(wrong);
        }
        return true;
    }

    private boolean execute() {
        final OrderedCommand command = open.command();
        if (!command.execute(changes.operations())) {
            return false;
        }
        final OriginProgress progress = open.progress;
        if (progress != null && progress.awaited().onApplied(command)) {
            done.add(progress.takeAwaited());
        }
        return true;
    }

    private void end(final DirectBuffer buffer, final int offset) {
        if (open.template == TEMPLATE_TICK) {
            tickCount++;
            return;
        }
        final long number = CommandHeader.number(buffer, offset);
        origins.onApplied(open.origin, CommandHeader.incarnation(buffer, offset), number);
        final OriginProgress progress = open.progress;
        if (progress != null) {
            progress.onCommand(number);
        }
    }

    private boolean reply() {
        ShardCommand command;
        while ((command = done.peek()) != null) {
            if (command.isReplied() && !replies.test(command)) {
                return false;
            }
            done.remove();
        }
        return true;
    }

    private enum Step {
        NONE,
        APPLYING,
        ENDING,
        REPLYING
    }

    /** The command that has begun, and how far it has come. */
    private static final class OpenCommand {
        private Step step = Step.NONE;
        private int template;
        private int origin;
        private int entry;
        private int entryOffset;
        private @Nullable OriginProgress progress;
        private @Nullable OrderedCommand command;

        OrderedCommand command() {
            final OrderedCommand present = command;
            if (present == null) {
                throw new IllegalStateException("no command is open");
            }
            return present;
        }

        void clear() {
            step = Step.NONE;
            entry = 0;
            progress = null;
            command = null;
        }
    }
}
