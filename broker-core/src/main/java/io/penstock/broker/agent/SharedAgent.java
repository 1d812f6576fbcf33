package io.penstock.broker.agent;

import io.penstock.broker.concurrent.Waits;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.feed.Replayer;
import java.util.List;
import org.agrona.concurrent.Agent;

/**
 * All agents of a broker on one thread, in the order in which a message meets them, so that one duty cycle takes it
 * from its publisher to its subscribers.
 */
final class SharedAgent implements Agent {
    /** A burst of messages for which a ring has no room is enqueued in this many turns, as clients take them. */
    private static final int REPLAY_TURN_COUNT_MAX = 4;

    private final IoAgent ioAgent;
    private final Sequencer[] sequencers;
    private final Replayer replayer;

    SharedAgent(final IoAgent ioAgent, final List<Sequencer> sequencers, final Replayer replayer) {
        this.ioAgent = ioAgent;
        this.sequencers = sequencers.toArray(new Sequencer[0]);
        this.replayer = replayer;
    }

    @Override
    public int doWork() {
        int workCount = ioAgent.receive();
        for (final Sequencer sequencer : sequencers) {
            workCount += sequencer.doWork();
        }
        workCount += replayer.doWork() + ioAgent.send();
        for (int i = 1; i < REPLAY_TURN_COUNT_MAX && replayer.isGoingOn(); i++) {
            workCount += replayer.doWork() + ioAgent.send();
        }
        return workCount;
    }

    /** Waits for work. */
    void await() {
        long waitNs = Long.MAX_VALUE;
        for (final Sequencer sequencer : sequencers) {
            waitNs = sequencer.isRetrying() ? Math.min(waitNs, Waits.RETRY_NS) : sequencer.waitNs(waitNs);
        }
        ioAgent.await(replayer.isPacing() ? Math.min(waitNs, Waits.RETRY_NS) : waitNs);
    }

    @Override
    public void onClose() {
        ioAgent.onClose();
    }

    @Override
    public String roleName() {
        return "broker";
    }
}
