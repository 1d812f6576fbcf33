package io.penstock.broker.cluster;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.logbuffer.Header;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An I/O agent's way into the order: hands over commands, keeps them until they were applied on its own node, and hands all
 * of them over again when that may have been lost: under another leader, and when none was applied for a while. Confined to
 * the agent, which never waits here.
 */
final class BatchSender implements AutoCloseable {
    private static final long KEEP_ALIVE_NS = TimeUnit.SECONDS.toNanos(1);

    private final AeronCluster.Context context;
    private final LongSupplier appliedNumber;
    private final long againNs;
    private final ArrayDeque<Command> waiting = new ArrayDeque<>();
    private AeronCluster.@Nullable AsyncConnect connecting;
    private @Nullable AeronCluster cluster;
    private long number;
    private long nextToSend = 1;
    private long progressNs;
    private long keepAliveNs;
    private long againCount;

    private record Command(long number, UnsafeBuffer bytes) {}

    /**
     * Begins without a connection.
     *
     * @param driverDirectory of the media driver of its node.
     * @param places          of all nodes.
     * @param appliedNumber   the number of its last command that was applied on its node.
     * @param againNs         time without progress after which commands are handed over again.
     * @param errorHandler    for what goes wrong beside.
     */
    BatchSender(
            final String driverDirectory,
            final List<NodePlace> places,
            final LongSupplier appliedNumber,
            final long againNs,
            final ErrorHandler errorHandler) {
        this.appliedNumber = appliedNumber;
        this.againNs = againNs;
        context = new AeronCluster.Context()
                .aeronDirectoryName(driverDirectory)
                .ingressChannel("aeron:udp?term-length=2m")
                .ingressEndpoints(NodePlace.ingresses(places))
                .egressChannel("aeron:udp?endpoint=localhost:0")
                .egressListener(new Egress())
                .messageTimeoutNs(TimeUnit.SECONDS.toNanos(5))
                .errorHandler(errorHandler);
    }

    /** The number that the next command is to have. */
    long nextNumber() {
        return number + 1;
    }

    /** Commands that were not applied so far. */
    int waitingCount() {
        return waiting.size();
    }

    /** How often commands were handed over again. */
    long againCount() {
        return againCount;
    }

    /** Takes a command, whose bytes are copied. */
    void offer(final DirectBuffer buffer, final int length) {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[length]);
        bytes.putBytes(0, buffer, 0, length);
        waiting.add(new Command(++number, bytes));
    }

    /** Hands over what it can now. Returns work done. */
    int doWork(final long nowNs) {
        int workCount = 0;
        final long applied = appliedNumber.getAsLong();
        while (!waiting.isEmpty() && waiting.element().number() <= applied) {
            waiting.remove();
            progressNs = nowNs;
            workCount++;
        }
        if (waiting.isEmpty()) {
            progressNs = nowNs;
        }
        nextToSend = Math.max(nextToSend, applied + 1);
        final AeronCluster to = connected();
        if (to == null) {
            return workCount;
        }
        workCount += to.pollEgress();
        if (to.isClosed()) {
            disconnect();
            return workCount;
        }
        if (nowNs - progressNs > againNs) {
            progressNs = nowNs;
            sendAgain();
        }
        if (nowNs - keepAliveNs > KEEP_ALIVE_NS) {
            keepAliveNs = nowNs;
            to.sendKeepAlive();
        }
        return workCount + send(to);
    }

    private int send(final AeronCluster to) {
        int count = 0;
        for (final Command each : waiting) {
            if (each.number() < nextToSend) {
                continue;
            }
            if (to.offer(each.bytes(), 0, each.bytes().capacity()) < 0) {
                break;
            }
            nextToSend = each.number() + 1;
            count++;
        }
        return count;
    }

    private @Nullable AeronCluster connected() {
        final AeronCluster present = cluster;
        if (present != null) {
            return present;
        }
        try {
            AeronCluster.AsyncConnect attempt = connecting;
            if (attempt == null) {
                attempt = AeronCluster.asyncConnect(context.clone());
                connecting = attempt;
            }
            final AeronCluster made = attempt.poll();
            if (made != null) {
                connecting = null;
                cluster = made;
                sendAgain();
            }
            return made;
        } catch (final RuntimeException e) {
            // Nobody leads at present.
            CloseHelper.quietClose(connecting);
            connecting = null;
            return null;
        }
    }

    private void disconnect() {
        CloseHelper.quietClose(cluster);
        cluster = null;
    }

    private void sendAgain() {
        if (!waiting.isEmpty() && nextToSend > waiting.element().number()) {
            nextToSend = waiting.element().number();
            againCount++;
        }
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(connecting, cluster);
    }

    /** Commands are not answered: their sender sees them applied on its node. */
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
            sendAgain();
        }
    }
}
