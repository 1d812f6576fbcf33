package io.penstock.broker.shard;

import io.penstock.broker.concurrent.ReadTurn;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The order of a broker whose sequencer has a thread of its own: that in which messages have come into its {@link Inbox}.
 * Read by the sequencer.
 */
public final class InboxLog implements OrderedLog {
    private static final int MESSAGE_LIMIT = 1024;

    private final Inbox inbox;
    private final EpochNanoClock clock;
    private final Runnable wakeup;
    private final ReadTurn turn = new ReadTurn(MESSAGE_LIMIT);

    /**
     * Takes messages from an inbox.
     *
     * @param inbox  of the shard.
     * @param clock  for how long a backlog is read.
     * @param wakeup ends the wait of the sequencer. Any thread.
     */
    public InboxLog(final Inbox inbox, final EpochNanoClock clock, final Runnable wakeup) {
        this.inbox = inbox;
        this.clock = clock;
        this.wakeup = wakeup;
    }

    @Override
    public ShardPort newPort(final Sequencer sequencer, final int ioAgent, final AtomicCounter payloadBytesCopied) {
        return new InboxPort(sequencer.shard().number(), ioAgent, sequencer, inbox, payloadBytesCopied, wakeup);
    }

    @Override
    public int read(final Shard to) {
        turn.begin(clock.nanoTime());
        while (turn.onStep(inbox.read(to, turn.step())) && turn.hasTime(clock.nanoTime())) {
            // More of the backlog.
        }
        return turn.count();
    }

    @Override
    public int expire(final Shard to, final long nowNs) {
        return to.expire(nowNs);
    }

    @Override
    public boolean onApplied() {
        return inbox.onProcessed();
    }
}
