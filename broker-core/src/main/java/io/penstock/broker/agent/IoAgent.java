package io.penstock.broker.agent;

import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.concurrent.ReadTurn;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.session.Sessions;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.publish.RefusalRing;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Owns transports and the sessions on their connections: receives commands for sequencers, and sends the records that
 * they and the replayer enqueue. All its transports share one thing to wait on.
 */
final class IoAgent implements Agent {
    /** New work is refused, and what was taken before is processed. */
    static final int DRAIN_STEP_PROCESSED = 1;

    /** All of it was sent as well. To be asked for after all I/O agents have done the first step. */
    static final int DRAIN_STEP_SENT = 2;

    private static final int FRAME_LIMIT = 4 * 1024;
    private static final int NOTICE_LIMIT = 1024;

    private final int index;
    private final NanoClock clock;
    private final Reclaim[] reclaims;
    private final ShardPort[] ports;
    private final IoNotices notices;
    private final RefusalRing refusals = new RefusalRing(this::onRefused);
    private final IoCounters counters;
    private final EventLog events;
    private final IoTransports transports = new IoTransports();
    private final TransportCounters transportCounters = new TransportCounters();
    private @Nullable Sessions sessions;
    private final DrainSteps drainSteps = new DrainSteps();
    private final ReadTurn turn = new ReadTurn(FRAME_LIMIT);
    private long protocolErrors;
    private long tickNs;

    IoAgent(
            final int index,
            final NanoClock clock,
            final Reclaim[] reclaims,
            final List<ShardPort> ports,
            final int noticeCountMax,
            final IoCounters counters,
            final EventLog events) {
        this.index = index;
        this.clock = clock;
        this.reclaims = reclaims;
        this.ports = ports.toArray(new ShardPort[0]);
        this.counters = counters;
        this.events = events;
        notices = new IoNotices(noticeCountMax, this::onNotice);
        tickNs = clock.nanoTime();
    }

    /** Gives the agent its sessions. Called once, before it starts. */
    void sessions(final Sessions value) {
        sessions = value;
    }

    /** Opens the transports of endpoints. Called once, before the agent starts. */
    void open(
            final List<URI> endpoints,
            final int frameLengthMax,
            final int connectionCountMax,
            final @Nullable TlsContexts tls,
            final ErrorHandler errorHandler)
            throws IOException {
        transports.open(
                endpoints,
                (scheme, loop) -> new TransportContext(
                                new Binding(transports.switches().add(scheme)),
                                frameLengthMax,
                                TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                                connectionCountMax,
                                transportCounters,
                                this::wakeup,
                                loop,
                                errorHandler)
                        .tls(tls));
    }

    /** Says which memory records are sent from. Called before anything is listened on. */
    void prepareBodies(final LogWindow window) {
        for (int i = 0; i < window.segmentCount(); i++) {
            transports.prepareBodies(window.buffer(window.segmentStart(i)));
        }
    }

    /** Listens on one of the endpoints. Called before the agent starts. */
    URI listen(final URI endpoint) throws IOException {
        return transports.listen(endpoint);
    }

    /** Takes a notice from another agent; false when there is no room. */
    boolean offer(final IoNotice notice) {
        return notices.offer(notice);
    }

    /** Takes what sequencers have refused. */
    RefusalRing refusals() {
        return refusals;
    }

    /** Ends a present or the next wait. Called from any thread. */
    void wakeup() {
        transports.wakeup();
    }

    @Override
    public int doWork() {
        return receive() + send();
    }

    /** Reads from all transports, up to a limit each. */
    int receive() {
        final long nowNs = clock.nanoTime();
        sessions().onTime(nowNs);
        int workCount = notices.drain(NOTICE_LIMIT) + refusals.read();
        for (final Transport transport : transports.all()) {
            workCount += receive(transport);
        }
        for (final ShardPort port : ports) {
            port.signal();
        }
        workCount += sessions().lookAfterTimers();
        if (nowNs - tickNs >= sessions().tickIntervalNs()) {
            tickNs = nowNs;
            publishCounters();
        }
        return workCount;
    }

    private int receive(final Transport transport) {
        turn.begin(clock.nanoTime());
        while (turn.onStep(transport.poll(turn.step())) && turn.hasTime(clock.nanoTime())) {
            // More of the backlog.
        }
        return turn.count();
    }

    /** Sends what is due. */
    int send() {
        for (final ShardPort port : ports) {
            port.sync();
        }
        // After the look at what is processed: no acknowledgement overtakes the refusal of what it covers.
        int workCount = notices.drain() + refusals.read();
        workCount += sessions().send();
        for (int shard = 0; shard < reclaims.length; shard++) {
            final Reclaim reclaim = reclaims[shard];
            if (reclaim.isDue(index)) {
                final long position = reclaim.demanded();
                if (sessions().release(shard, position)) {
                    reclaim.release(index, position);
                }
                workCount++;
            }
        }
        final int step = drainSteps.due();
        if (step > 0) {
            drain(step);
        }
        return workCount;
    }

    private void drain(final int step) {
        sessions().drain();
        if (step == DRAIN_STEP_PROCESSED ? sessions().isProcessed() : sessions().isDrained()) {
            drainSteps.onDone(step);
        }
    }

    /** Waits for work: for the medium, for {@link #wakeup()}, or for the next tick. */
    void await() {
        await(Long.MAX_VALUE);
    }

    /** Waits for work, but no longer than some time. */
    void await(final long timeoutNs) {
        transports.await(Math.min(timeoutNs, sessions().tickIntervalNs()));
    }

    /** Asks the agent for a step of draining, once it has done the one before. Called from any thread. */
    void requestDrain(final int step) {
        if (drainSteps.ask(step)) {
            wakeup();
        }
    }

    /** Whether a step of draining is done. Called from any thread. */
    boolean isDrained(final int step) {
        return drainSteps.isDone(step);
    }

    @Override
    public void onClose() {
        if (sessions != null) {
            sessions.closeAll();
        }
        transports.close();
        publishCounters();
    }

    /** Frees what its clients' queries have taken. Called when all agents have stopped. */
    void free() {
        if (sessions != null) {
            sessions.free();
        }
    }

    @Override
    public String roleName() {
        return "io-" + index;
    }

    private void onRefused(
            final long sessionId,
            final long commandId,
            final long publisherSequence,
            final int shard,
            final int topicId,
            final StateRefusal reason,
            final long used,
            final long limit) {
        sessions().onRefused(sessionId, commandId, publisherSequence, shard, topicId, reason, used, limit);
    }

    private void onNotice(final IoNotice notice) {
        if (!transports.switches().onNotice(index, notice)) {
            sessions().onNotice(notice);
        }
    }

    private Sessions sessions() {
        final Sessions present = sessions;
        if (present == null) {
            throw new IllegalStateException("I/O agent: has no sessions yet");
        }
        return present;
    }

    private void publishCounters() {
        counters.publish(transportCounters);
    }

    /** Ties the connections of one transport to their sessions. */
    private final class Binding implements TransportHandler, Session.CloseListener {
        private final Long2ObjectHashMap<Session> byConnection = new Long2ObjectHashMap<>();
        private final TransportSwitch listener;
        private long lastId;
        private @Nullable Session last;

        Binding(final TransportSwitch listener) {
            this.listener = listener;
        }

        @Override
        public void onConnect(final Connection connection) {
            if (!listener.admits()) {
                onRefused(connection.peer(), "transport: disabled by an administrator: " + listener.scheme());
                connection.close();
                return;
            }
            final Session session = sessions().onConnect(connection, this);
            if (session != null) {
                byConnection.put(connection.id(), session);
                listener.onConnections(byConnection.size());
            }
        }

        @Override
        public boolean onFragment(
                final Connection connection,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int frameOffset,
                final int frameLength) {
            final long id = connection.id();
            if (last == null || id != lastId) {
                lastId = id;
                last = byConnection.get(id);
            }
            return last == null || sessions().onFragment(last, buffer, offset, length, frameOffset, frameLength);
        }

        @Override
        public void onRefused(final String peer, final String reason) {
            protocolErrors = transportCounters.protocolErrors();
            events.report(EventKind.CONNECTION_REFUSED, "peer", peer, "reason", reason);
        }

        @Override
        public void onDisconnect(final Connection connection, final String reason) {
            final boolean isMistake = transportCounters.protocolErrors() != protocolErrors;
            protocolErrors = transportCounters.protocolErrors();
            events.report(
                    isMistake ? EventKind.PROTOCOL_ERROR : EventKind.CONNECTION_LOST,
                    "peer",
                    connection.peer(),
                    "reason",
                    reason);
            final Session session = byConnection.get(connection.id());
            if (session != null) {
                sessions().onDisconnect(session);
            }
        }

        @Override
        public void onClosed(final Connection connection) {
            last = null;
            byConnection.remove(connection.id());
            listener.onConnections(byConnection.size());
        }
    }
}
