package io.penstock.cluster;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.logbuffer.Header;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes commands from the lanes of a node's I/O agents to whoever leads. Its one session is made anew when it is lost. What
 * may have been lost on the way is the matter of who has put it into the lane: they are notified when another node leads, and
 * when there is another session. An agent of its own, which waits for nothing.
 */
final class IngressAgent implements Agent {
    private static final long KEEP_ALIVE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CONNECT_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int COMMAND_LIMIT = 64;

    private final AeronCluster.Context context;
    private final Lane[] lanes;
    private final DirectBuffer greeting;
    private final Runnable onMaybeLost;
    private final NanoClock clock;
    private final ControlledMessageHandler onCommand = this::onCommand;
    private AeronCluster.@Nullable AsyncConnect connecting;
    private @Nullable AeronCluster cluster;
    private boolean hasGreeted;
    private long keepAliveNs;
    private long connectNs;
    private int firstLane;

    /**
     * Begins without a session.
     *
     * @param context     with everything but a listener.
     * @param lanes       to be emptied.
     * @param greeting    sent first in each session.
     * @param onMaybeLost notified when commands that were sent may have been lost. Called by this agent.
     * @param clock       for keeping the session alive.
     */
    IngressAgent(
            final AeronCluster.Context context,
            final Lane[] lanes,
            final byte[] greeting,
            final Runnable onMaybeLost,
            final NanoClock clock) {
        this.context = context.egressListener(new Egress());
        this.lanes = lanes;
        this.greeting = new UnsafeBuffer(greeting.clone());
        this.onMaybeLost = onMaybeLost;
        this.clock = clock;
        connectNs = clock.nanoTime();
        keepAliveNs = connectNs;
    }

    @Override
    public int doWork() {
        final long nowNs = clock.nanoTime();
        final AeronCluster to = connected(nowNs);
        if (to == null) {
            return 0;
        }
        int workCount = to.pollEgress();
        if (to.isClosed()) {
            disconnect(nowNs);
            return 1;
        }
        if (nowNs - keepAliveNs > KEEP_ALIVE_NS) {
            keepAliveNs = nowNs;
            to.sendKeepAlive();
        }
        if (!hasGreeted) {
            hasGreeted = to.offer(greeting, 0, greeting.capacity()) > 0;
            return workCount + 1;
        }
        // Each begins in its turn, so that a busy one does not keep the others waiting.
        firstLane = firstLane + 1 < lanes.length ? firstLane + 1 : 0;
        for (int i = 0; i < lanes.length; i++) {
            workCount += lanes[(firstLane + i) % lanes.length].read(onCommand, COMMAND_LIMIT);
        }
        return workCount;
    }

    private ControlledMessageHandler.Action onCommand(
            final int type, final MutableDirectBuffer buffer, final int offset, final int length) {
        final AeronCluster to = cluster;
        if (to == null) {
            return ControlledMessageHandler.Action.ABORT;
        }
        final long position = to.offer(buffer, offset, length);
        return position > 0 ? ControlledMessageHandler.Action.CONTINUE : ControlledMessageHandler.Action.ABORT;
    }

    private @Nullable AeronCluster connected(final long nowNs) {
        final AeronCluster present = cluster;
        if (present != null) {
            return present;
        }
        if (nowNs - connectNs < 0) {
            return null;
        }
        AeronCluster.AsyncConnect attempt = connecting;
        try {
            if (attempt == null) {
                attempt = AeronCluster.asyncConnect(context.clone());
                connecting = attempt;
            }
            final AeronCluster made = attempt.poll();
            if (made == null) {
                return null;
            }
            connecting = null;
            cluster = made;
            onMaybeLost();
            return made;
        } catch (final RuntimeException e) {
            // Nobody leads at present.
            connecting = null;
            CloseHelper.quietClose(attempt);
            connectNs = nowNs + CONNECT_AGAIN_NS;
            return null;
        }
    }

    /** What waits in the lanes would come twice. Forgotten first: who sees the notice may put it there again at once. */
    private void onMaybeLost() {
        hasGreeted = false;
        for (final Lane lane : lanes) {
            lane.discard();
        }
        onMaybeLost.run();
    }

    private void disconnect(final long nowNs) {
        CloseHelper.quietClose(cluster);
        cluster = null;
        connectNs = nowNs;
    }

    @Override
    public void onClose() {
        CloseHelper.quietCloseAll(connecting, cluster);
        connecting = null;
        cluster = null;
    }

    @Override
    public String roleName() {
        return "cluster-ingress";
    }

    /** Commands are not answered: who has handed one over sees it applied on its own node. */
    private final class Egress implements EgressListener {
        @Override
        public void onMessage(
                final long clusterSessionId,
                final long timestamp,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final Header header) {}

        @Override
        public void onNewLeader(
                final long clusterSessionId,
                final long leadershipTermId,
                final int leaderMemberId,
                final String ingressEndpoints) {
            onMaybeLost();
        }
    }
}
