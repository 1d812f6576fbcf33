package io.penstock.broker.shard.replica;

import io.penstock.broker.concurrent.ReadTurn;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.shard.OrderedChanges;
import io.penstock.broker.shard.OrderedLog;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.Shard;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.OrderedCommands;
import io.penstock.broker.shard.order.BadCommandException;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandWriter;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The order of a shard that several nodes make together. Its I/O agents hand commands to who leads; the sequencer applies what is
 * decided, on each node. Owned by the sequencer.
 */
final class ReplicatedLog implements OrderedLog {
    /** Bound of what one I/O agent has under way to one shard, in bytes. */
    private static final int IN_FLIGHT_LENGTH = 2 * 1024 * 1024;

    /** Most commands of one turn. */
    private static final int COMMAND_LIMIT = 1024;

    /** A tick is handed in no sooner after the last one. */
    private static final long TICK_NS = 1_000_000;

    private final Consensus consensus;
    private final OrderContext context;
    private final AtomicCounter[] processed;
    private final OwnOrigins own;
    private final OrderedChanges changes;
    private final CommandApplier applier;
    private final CommandSource source;
    private final CommandSender tickSender;
    private final CommandWriter tick = new CommandWriter();
    private final ReadTurn turn = new ReadTurn(COMMAND_LIMIT);
    private long tickNs;

    /** Ticks that were applied when the last one was handed in; -1 before the first. */
    private long ticksBefore = -1;

    private boolean isNotifying;
    private boolean isFailed;

    ReplicatedLog(final Consensus consensus, final OrderContext context) {
        this.consensus = consensus;
        this.context = context;
        final Sequencer sequencer = context.sequencer();
        final Shard shard = sequencer.shard();
        processed = context.processed().get();
        own = new OwnOrigins(consensus.member(), consensus.incarnation());
        changes = shard.orderedChanges();
        applier = new CommandApplier(
                shard,
                new OrderedCommands(context.createdTopics(), ReplicatedLog::filter),
                own,
                sequencer::reply,
                wrong -> consensus.onBadCommand(shard.number(), wrong));
        source = consensus.source(shard.number(), context.sequencerWakeup());
        tickSender = consensus.tickSender(shard.number());
        tick.begin(
                CommandHeader.TEMPLATE_TICK,
                new CommandOrigin(
                        consensus.member(), CommandHeader.TICK_AGENT, shard.number(), consensus.incarnation()),
                0);
    }

    @Override
    public ShardPort newPort(final Sequencer sequencer, final int ioAgent, final AtomicCounter payloadBytesCopied) {
        final OriginProgress progress = new OriginProgress(processed[ioAgent]);
        own.add(ioAgent, progress);
        final CommandBatch batch = new CommandBatch(
                new CommandOrigin(consensus.member(), ioAgent, sequencer.shard().number(), consensus.incarnation()),
                consensus.sender(ioAgent, () -> context.ioAgentWakeup().accept(ioAgent)),
                progress,
                context.nanoClock(),
                IN_FLIGHT_LENGTH);
        return new ReplicatedPort(sequencer, batch, progress, payloadBytesCopied, context.sequencerWakeup());
    }

    @Override
    public int read(final Shard to) {
        if (isFailed || hasFailedFiles(to)) {
            return 0;
        }
        try {
            turn.begin(context.nanoClock().nanoTime());
            while (turn.onStep(source.read(applier, turn.step()))
                    && turn.hasTime(context.nanoClock().nanoTime())) {
                // More of the backlog.
            }
        } catch (final Throwable e) {
            // It may be applied in part: this shard would differ from those of other nodes.
            isFailed = true;
            consensus.onFailed(to.number(), e);
            throw e;
        }
        isNotifying = !onApplied();
        return turn.count();
    }

    /** It would never make room in its log again, and hold up the other nodes. */
    private boolean hasFailedFiles(final Shard to) {
        if (to.counters().journalStatus().get() != JournalStatus.FAILED) {
            return false;
        }
        isFailed = true;
        consensus.onFailed(to.number(), new IllegalStateException("its files have failed"));
        return true;
    }

    /** Nothing expires but by a tick, which comes back to all nodes; who leads hands it in. */
    @Override
    public int expire(final Shard to, final long nowNs) {
        changes.catchUpViews();
        int workCount = tickSender.doWork();
        if (!isFailed
                && changes.dueNs() <= nowNs
                && !applier.isOpen()
                && consensus.isLeading()
                && mayTick()
                && tickSender.offer(tick.buffer(), 0, tick.length())) {
            tickNs = context.nanoClock().nanoTime();
            ticksBefore = applier.tickCount();
            workCount++;
        }
        return workCount;
    }

    /** Not while one is under way, unless it may be lost: an order that is slow would be filled with them. */
    private boolean mayTick() {
        final long passedNs = context.nanoClock().nanoTime() - tickNs;
        return ticksBefore < 0 || passedNs >= (applier.tickCount() == ticksBefore ? Handover.RESEND_NS : TICK_NS);
    }

    @Override
    public boolean onApplied() {
        boolean isNotified = true;
        for (int i = 0; i < own.count(); i++) {
            final OriginProgress progress = own.get(i);
            if (progress != null && !progress.isNotified()) {
                isNotified &= progress.onApplied();
                context.ioAgentWakeup().accept(i);
            }
        }
        return isNotified;
    }

    @Override
    public boolean isRetrying() {
        return isNotifying || applier.isOpen();
    }

    /** The filter of a delete, once for each of its commands. */
    static Filter filter(final String text) {
        try {
            return FilterCompiler.compile(text, FilterLimits.COMBINED);
        } catch (final FilterException e) {
            throw new BadCommandException("a delete with a filter that is none: " + e.getMessage());
        }
    }
}
