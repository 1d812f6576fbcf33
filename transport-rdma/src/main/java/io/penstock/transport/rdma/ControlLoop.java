package io.penstock.transport.rdma;

import io.penstock.transport.rdma.Progress.Phase;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsHandler;
import io.penstock.transport.rdma.verbs.VerbsListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * All slow work of a transport: notices peers that connect and disconnect, makes queues, takes memory, accepts, and
 * ends links. One duty cycle of it is {@link #doWork()}. Owned by the control thread; the agent puts commands into a
 * queue, and takes links that were accepted out of another.
 */
final class ControlLoop implements VerbsHandler {
    private static final int COMMAND_LIMIT = 64 * 1024;
    private static final int EVENT_LIMIT = 64;
    private static final long DRAIN_TICK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ManyToOneConcurrentArrayQueue<Runnable> commands = new ManyToOneConcurrentArrayQueue<>(COMMAND_LIMIT);
    private final List<VerbsListener> listeners = new ArrayList<>();
    private final Links links;
    private final LinkPreparation preparation;
    private final LinkEnding ending;
    private final Acceptance acceptance;
    private final Faults faults;
    private final BodyMemory bodies;
    private final Verbs verbs;
    private final RdmaConfig config;
    private final NanoClock clock;
    private final long connectTimeoutNs;
    private final Runnable wakeAgent;
    private boolean isClosing;

    ControlLoop(
            final Verbs verbs,
            final RdmaConfig config,
            final NanoClock clock,
            final long connectTimeoutNs,
            final Runnable wakeAgent) {
        this.verbs = verbs;
        this.config = config;
        this.clock = clock;
        this.connectTimeoutNs = connectTimeoutNs;
        this.wakeAgent = wakeAgent;
        links = new Links(clock);
        faults = new Faults(wakeAgent);
        bodies = new BodyMemory(faults::add);
        preparation = new LinkPreparation(config, bodies);
        ending = new LinkEnding(links, clock);
        acceptance = new Acceptance(links, preparation, ending, faults, config.slotCount(), wakeAgent);
    }

    /** Starts to listen. Agent. */
    CompletableFuture<InetSocketAddress> listen(final InetSocketAddress address) {
        final CompletableFuture<InetSocketAddress> result = new CompletableFuture<>();
        submit(() -> {
            try {
                final VerbsListener listener = verbs.listen(address, Acceptance.BACKLOG);
                if (result.complete(listener.address())) {
                    listeners.add(listener);
                } else {
                    listener.close();
                }
            } catch (final IOException | RuntimeException | OutOfMemoryError ex) {
                result.completeExceptionally(ex);
            }
        });
        return result;
    }

    /** Connects; ends in time. Agent. */
    CompletableFuture<Link> dial(final InetSocketAddress address) {
        final CompletableFuture<Link> result = new CompletableFuture<>();
        submit(() -> {
            try {
                final long timeoutMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(connectTimeoutNs));
                final VerbsEndpoint endpoint = verbs.resolve(address, (int) Math.min(Integer.MAX_VALUE, timeoutMs));
                final Link link = new Link(endpoint, config.slotCount());
                link.progress.dialled = result;
                links.enter(link, Phase.DIALLING, connectTimeoutNs);
                links.add(link);
            } catch (final IOException | RuntimeException | OutOfMemoryError ex) {
                result.completeExceptionally(ex);
            }
        });
        return result;
    }

    /** Memory from which bodies are sent without a copy. */
    BodyMemory bodies() {
        return bodies;
    }

    /** Ends a connection now: its device reads no memory any more when that is done. Agent. */
    CompletableFuture<Void> breakOff(final Link link) {
        final CompletableFuture<Void> result = new CompletableFuture<>();
        submit(() -> {
            link.endpoint().disconnect();
            result.complete(null);
        });
        return result;
    }

    /** Takes a link that was accepted, or null. Agent. */
    @Nullable
    Link takeAccepted() {
        return acceptance.take();
    }

    boolean hasAccepted() {
        return acceptance.hasAccepted();
    }

    /** Takes what went wrong and belongs to no connection of the agent, or null. Agent. */
    @Nullable
    Throwable takeError() {
        return faults.take();
    }

    /** Gives a link back, to be ended when its last request is complete. Agent. */
    void bury(final Link link) {
        submit(() -> ending.bury(link));
    }

    /** Ends all of it. Links that the agent has are given back before. Agent. */
    CompletableFuture<Void> close() {
        final CompletableFuture<Void> result = new CompletableFuture<>();
        submit(() -> {
            isClosing = true;
            acceptance.close();
            try {
                listeners.forEach(VerbsListener::close);
            } finally {
                endAll();
                result.complete(null);
            }
        });
        return result;
    }

    /** Those that the agent has not got. */
    private void endAll() {
        for (final Link link : links.all()) {
            if (link.progress.phase == Phase.DIALLING || link.progress.phase == Phase.ACCEPTED) {
                fail(link, "the transport was closed");
            }
        }
        acceptance.endAll();
    }

    private void submit(final Runnable command) {
        if (!commands.offer(command)) {
            throw new IllegalStateException("rdma: too many commands wait: " + COMMAND_LIMIT);
        }
        verbs.wakeupEvents();
    }

    /** Whether there will never be anything to do any more. */
    boolean isDone() {
        return isClosing && links.isEmpty() && commands.isEmpty();
    }

    int doWork() {
        int workCount = 0;
        Runnable command;
        while ((command = commands.poll()) != null) {
            command.run();
            workCount++;
        }
        workCount += verbs.pollEvents(this, EVENT_LIMIT);
        if (links.isAnyWaiting()) {
            workCount += tick();
        }
        return workCount;
    }

    void await() {
        final boolean isDraining = links.countOf(Phase.DRAINING) > 0;
        verbs.awaitEvents(isDraining ? DRAIN_TICK_NS : links.isAnyWaiting() ? TICK_NS : -1);
    }

    private int tick() {
        final long nowNs = clock.nanoTime();
        int workCount = 0;
        for (final Link link : links.waiting()) {
            try {
                workCount += tick(link, nowNs - link.progress.deadlineNs >= 0);
            } catch (final Throwable ex) {
                // Met at each turn if it stayed, and those behind it would never have theirs.
                onFault(ex);
                ending.finish(link);
                workCount++;
            }
        }
        return workCount;
    }

    private int tick(final Link link, final boolean isLate) {
        return switch (link.progress.phase) {
            case DIALLING -> {
                if (isLate || isAbandoned(link)) {
                    fail(link, link.progress.stage);
                    yield 1;
                }
                yield 0;
            }
            case ACCEPTED, ENDING -> {
                if (isLate) {
                    ending.finish(link);
                    yield 1;
                }
                yield 0;
            }
            case DRAINING -> ending.drain(link);
            // The agent's.
            case LIVE -> 0;
        };
    }

    private static boolean isAbandoned(final Link link) {
        final CompletableFuture<Link> dialled = link.progress.dialled;
        return dialled != null && dialled.isDone();
    }

    // --- Connecting

    @Override
    public void onResolved(final VerbsEndpoint endpoint) {
        final Link link = links.get(endpoint);
        if (link == null || link.progress.phase != Phase.DIALLING) {
            return;
        }
        try {
            preparation.prepare(link);
            link.progress.stage = "no answer in time (is the peer alive, and does it listen there by RDMA?)";
            endpoint.connect(Hello.of(link.slotCount()), 0, Hello.LENGTH);
        } catch (final IOException | RuntimeException | OutOfMemoryError ex) {
            fail(link, Faults.reasonOf(ex));
        }
    }

    @Override
    public void onEstablished(
            final VerbsEndpoint endpoint, final DirectBuffer buffer, final int offset, final int length) {
        final Link link = links.get(endpoint);
        if (link == null) {
            return;
        }
        if (link.progress.phase == Phase.DIALLING) {
            final int peerSlotCount = Hello.slotCount(buffer, offset, length);
            if (peerSlotCount == 0) {
                fail(link, "the peer speaks something else (is it a Penstock of the same version?)");
                return;
            }
            link.peerSlotCount(peerSlotCount);
            links.enter(link, Phase.LIVE, 0);
            final CompletableFuture<Link> dialled = link.progress.dialled;
            if (dialled == null || !dialled.complete(link)) {
                ending.end(link);
            }
        } else if (link.progress.phase == Phase.ACCEPTED) {
            acceptance.onEstablished(link);
        }
    }

    @Override
    public void onFailed(
            final VerbsEndpoint endpoint,
            final Failure failure,
            final int status,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final Link link = links.get(endpoint);
        if (link == null) {
            return;
        }
        final String reason = switch (failure) {
            case NO_ROUTE -> "no RDMA device has a way to it (status " + status + "; 'rdma link' lists devices)";
            case NOBODY_LISTENS -> "nobody listens there (start the listener first)";
            case REJECTED -> "peer refused: " + Hello.refusal(buffer, offset, length);
            case NO_ANSWER -> "no answer (status " + status + "; is the peer alive?)";
        };
        fail(link, reason);
    }

    private void fail(final Link link, final String reason) {
        final CompletableFuture<Link> dialled = link.progress.dialled;
        if (dialled != null) {
            dialled.completeExceptionally(new IOException(reason));
        }
        ending.finish(link);
    }

    // --- Accepting

    @Override
    public void onRequest(
            final VerbsListener listener,
            final VerbsEndpoint endpoint,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        acceptance.onRequest(endpoint, Hello.slotCount(buffer, offset, length));
    }

    /** The agent is notified of what was thrown. */
    void onFault(final Throwable thrown) {
        faults.add(thrown);
    }

    @Override
    public void onListenerLost(final VerbsListener listener) {
        listeners.remove(listener);
        faults.report(
                "listener " + RdmaEndpoint.textOf(listener.address())
                        + " has lost its device (bring it back and restart)",
                null);
        listener.close();
    }

    // --- Ending

    @Override
    public void onDisconnected(final VerbsEndpoint endpoint) {
        final Link link = links.get(endpoint);
        if (link == null) {
            return;
        }
        link.onDisconnected();
        // The peer's side of the connection manager waits for this.
        endpoint.disconnect();
        switch (link.progress.phase) {
            case DIALLING -> fail(link, "peer has gone");
            case ACCEPTED, ENDING -> ending.finish(link);
            case LIVE -> wakeAgent.run();
            case DRAINING -> ending.drain(link);
        }
    }

    /** Frees what is left when this is done, or has to be. */
    void free() {
        links.all().forEach(ending::finish);
        bodies.close();
        verbs.close();
    }
}
