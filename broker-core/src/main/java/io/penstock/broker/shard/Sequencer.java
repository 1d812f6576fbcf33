package io.penstock.broker.shard;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.monitor.ShardInfo;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.recovery.ImageExchange;
import io.penstock.broker.shard.recovery.JournalHistory;
import io.penstock.broker.shard.recovery.ShardImage;
import io.penstock.broker.shard.state.MessageHistory;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * The agent of a shard: takes messages and commands of I/O agents, messages in the order of its {@link OrderedLog}, has the
 * shard apply them in batches, and notifies the I/O agents of how many of theirs are processed.
 */
public final class Sequencer implements Agent {
    static final int COMMAND_QUEUE_LENGTH = 4 * 1024;

    private final Shard shard;
    private final EpochNanoClock clock;
    private final ReplyListener replies;
    private final CommandQueue commands;
    private final BooleanSupplier mayRunCommand;
    private final Runnable onCommand = this::endBatch;
    private final AttachQueue attaches;
    private OrderedLog order = new DirectLog();
    private boolean isReplicated;
    private @Nullable ImageExchange images;
    private @Nullable JournalFiles files;
    private MessageHistory history = MessageHistory.NONE;

    /** Whether some I/O agents had no room for the notice that their messages are processed. */
    private boolean isNotifying;

    /**
     * Makes the agent of a shard.
     *
     * @param shard   to apply everything to.
     * @param clock   for what has expired, and how long to wait.
     * @param replies carries replies to commands.
     */
    public Sequencer(final Shard shard, final EpochNanoClock clock, final ReplyListener replies) {
        this.shard = shard;
        this.clock = clock;
        this.replies = replies;
        commands = new CommandQueue(replies::onReply);
        attaches = new AttachQueue(shard.subscriptions(), shard.counters(), replies);
        // A query sees views as its sources are, so what is computed comes first.
        mayRunCommand = shard::mayChange;
    }

    /** The shard to which it applies everything. */
    public Shard shard() {
        return shard;
    }

    @Override
    public int doWork() {
        int workCount = isNotifying ? notifyProcessed() : 0;
        workCount += order.read(shard);
        workCount += endBatch();
        final ImageExchange exchange = images;
        if (exchange != null && exchange.isPending() && shard.isBetweenCommands()) {
            workCount += serve(exchange);
        }
        workCount += commands.run(shard.commands(), mayRunCommand, onCommand);
        if (shard.hasState()) {
            final long nowNs = clock.nanoTime();
            workCount += order.expire(shard, nowNs);
            workCount += endBatch();
            workCount += shard.keepState(nowNs);
        }
        workCount += shard.keepSubscriptions();
        return workCount + attaches.run();
    }

    /** Opens and closes what the keeper writes to files. */
    private int serve(final ImageExchange exchange) {
        final ShardImage done = exchange.takeBack();
        if (done != null) {
            shard.close(done);
        }
        if (exchange.isWanted()) {
            exchange.put(shard.image());
        }
        return 1;
    }

    @Override
    public String roleName() {
        return "sequencer-" + shard.number();
    }

    /**
     * Takes messages in an order. Without this call it is that of their I/O agents' calls. Called once, before any port is
     * made.
     *
     * @param value that this sequencer reads from now on.
     */
    public void order(final OrderedLog value) {
        order = value;
    }

    /**
     * Takes everything that changes the log in an order that several nodes make together. Its commands have their own time.
     * Called once, before topics are declared.
     *
     * @param value that this sequencer reads from now on.
     */
    public void replicatedOrder(final OrderedLog value) {
        order = value;
        isReplicated = true;
        shard.followOrder();
    }

    /**
     * Whether several nodes make the order of the shard.
     *
     * @return false when this broker does.
     */
    public boolean isReplicated() {
        return isReplicated;
    }

    /**
     * Makes the way of an I/O agent to the shard. Called before the agent and the sequencer start.
     *
     * @param ioAgent            index of the agent.
     * @param payloadBytesCopied counts the bytes that are copied on the way. Written by the agent.
     * @return the agent's own.
     */
    public ShardPort newPort(final int ioAgent, final AtomicCounter payloadBytesCopied) {
        return order.newPort(this, ioAgent, payloadBytesCopied);
    }

    /** Goes on after the last record of the log. Called before the sequencer starts. */
    public void resume(
            final JournalFiles journalFiles,
            final long lastSequence,
            final int epoch,
            final Runnable journalWakeup,
            final ImageExchange exchange) {
        files = journalFiles;
        images = exchange;
        history = new JournalHistory(journalFiles, lastSequence);
        shard.resume(lastSequence, epoch, journalWakeup);
    }

    /**
     * Whether the shard is written to files. Any thread, once the broker has started.
     *
     * @return false when it is in memory only.
     */
    public boolean isJournaled() {
        return files != null;
    }

    /**
     * The files of its log. Any thread, once the broker has started.
     *
     * @return the oldest first; none when it is in memory only.
     */
    public List<ShardInfo.File> logFiles() {
        final JournalFiles journaled = files;
        return journaled == null ? List.of() : journaled.describe();
    }

    /**
     * The messages of earlier runs. Called before the sequencer starts.
     *
     * @return those that the files have; none when the shard is in memory only.
     */
    public MessageHistory history() {
        return history;
    }

    /** The files that the log is written to, or null. */
    public @Nullable JournalFiles files() {
        return files;
    }

    /**
     * Takes a command back to the agent that waits for it. Called by the sequencer's order.
     *
     * @param command that was run.
     * @return false when there is no room now.
     */
    public boolean reply(final ShardCommand command) {
        return replies.onReply(command);
    }

    /** Takes a command from another agent; false when there is no room. */
    public boolean offer(final ShardCommand command) {
        return commands.offer(command);
    }

    /** Whether something waits for room in a ring or in the log, so that there is work without a new message. */
    public boolean isRetrying() {
        return isNotifying || order.isRetrying() || commands.isRetrying() || !attaches.isEmpty() || shard.isRetrying();
    }

    /** How long to wait for work at most: until the next conflated change is due, or as long as the caller would. */
    public long waitNs(final long idleNs) {
        final long dueNs = shard.catchUpDueNs();
        return dueNs == Long.MAX_VALUE ? idleNs : Math.max(0, Math.min(idleNs, dueNs - clock.nanoTime()));
    }

    /** Takes the replayer's wish to make a subscription live; false when there is no room. */
    public boolean offer(final AttachQueue.Attach attach) {
        return attaches.offer(attach);
    }

    /**
     * All topics and views are declared. Views are brought up to date by the thread that starts the broker, until a batch
     * publishes nothing: the log has no room while nobody reads it, or a join has looked at many records whose rows are
     * right. Duty cycles do the rest. What is to be said of views waits for the first of them, which has an error handler.
     * Called before the agent starts.
     */
    public void onDeclared() {
        long before;
        do {
            before = shard.published().get();
            shard.beginViews();
            endBatch();
        } while (!shard.mayChange() && shard.published().get() != before);
    }

    private int endBatch() {
        return shard.endBatch() ? notifyProcessed() : 0;
    }

    /** Notifies I/O agents that everything taken from them is applied and enqueued. */
    private int notifyProcessed() {
        isNotifying = !order.onApplied();
        return 1;
    }
}
