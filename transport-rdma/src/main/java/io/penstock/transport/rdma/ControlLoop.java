package io.penstock.transport.rdma;

import io.penstock.transport.rdma.Hello.Refusal;
import io.penstock.transport.rdma.Progress.Phase;
import io.penstock.transport.rdma.verbs.Completions;
import io.penstock.transport.rdma.verbs.ReceiveRequests;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsHandler;
import io.penstock.transport.rdma.verbs.VerbsListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * All of a transport that takes its time: hears who connects and who is gone, makes queues, takes memory, accepts, and sees
 * links out. One duty cycle of it is {@link #doWork()}. Owned by the control thread; the agent puts commands into a queue,
 * and takes links that were accepted out of another.
 */
final class ControlLoop implements VerbsHandler {
    /** Links that were accepted and not taken by the agent; further requests are refused. */
    static final int BACKLOG = 128;

    private static final int COMMAND_LIMIT = 64 * 1024;
    private static final int EVENT_LIMIT = 64;
    private static final int ERROR_LIMIT = 16;
    private static final int INLINE_LENGTH = 256;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long END_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long ACCEPT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long DRAIN_TICK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ManyToOneConcurrentArrayQueue<Runnable> commands = new ManyToOneConcurrentArrayQueue<>(COMMAND_LIMIT);
    private final ManyToOneConcurrentArrayQueue<Link> accepted = new ManyToOneConcurrentArrayQueue<>(BACKLOG);
    private final ManyToOneConcurrentArrayQueue<Throwable> errors = new ManyToOneConcurrentArrayQueue<>(ERROR_LIMIT);
    private final HashMap<VerbsEndpoint, Link> links = new HashMap<>();

    /** Those of them that the agent has not got. */
    private final LinkedHashSet<Link> waiting = new LinkedHashSet<>();

    private final List<VerbsListener> listeners = new ArrayList<>();
    private final Completions completions = new Completions(EVENT_LIMIT);
    private final ReceiveRequests receives;
    private final BodyMemory bodies = new BodyMemory(this::onFault);
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
        receives = new ReceiveRequests(config.slotCount());
    }

    /** Starts to listen. Agent. */
    CompletableFuture<InetSocketAddress> listen(final InetSocketAddress address) {
        final CompletableFuture<InetSocketAddress> result = new CompletableFuture<>();
        submit(() -> {
            try {
                final VerbsListener listener = verbs.listen(address, BACKLOG);
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
                enter(link, Phase.DIALLING, connectTimeoutNs);
                links.put(endpoint, link);
            } catch (final IOException | RuntimeException | OutOfMemoryError ex) {
                result.completeExceptionally(ex);
            }
        });
        return result;
    }

    /** What bodies are sent from without a copy. */
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
        return accepted.poll();
    }

    boolean hasAccepted() {
        return !accepted.isEmpty();
    }

    /** Takes what went wrong and belongs to no connection of the agent, or null. Agent. */
    @Nullable
    Throwable takeError() {
        return errors.poll();
    }

    /** Gives a link back, to be ended when its last request is complete. Agent. */
    void bury(final Link link) {
        submit(() -> {
            enter(link, Phase.DRAINING, DRAIN_NS);
            drain(link);
        });
    }

    /** Ends all of it. Links that the agent has are given back before. Agent. */
    CompletableFuture<Void> close() {
        final CompletableFuture<Void> result = new CompletableFuture<>();
        submit(() -> {
            isClosing = true;
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
        for (final Link link : List.copyOf(links.values())) {
            if (link.progress.phase == Phase.DIALLING || link.progress.phase == Phase.ACCEPTED) {
                fail(link, "the transport was closed");
            }
        }
        Link link;
        while ((link = accepted.poll()) != null) {
            end(link);
        }
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
        if (!waiting.isEmpty()) {
            workCount += tick();
        }
        return workCount;
    }

    void await() {
        final boolean isDraining = countOf(Phase.DRAINING) > 0;
        verbs.awaitEvents(isDraining ? DRAIN_TICK_NS : waiting.isEmpty() ? -1 : TICK_NS);
    }

    private void enter(final Link link, final Phase phase, final long timeoutNs) {
        final Progress progress = link.progress;
        progress.phase = phase;
        progress.deadlineNs = clock.nanoTime() + timeoutNs;
        if (phase == Phase.LIVE) {
            waiting.remove(link);
        } else {
            waiting.add(link);
        }
    }

    private int countOf(final Phase phase) {
        int count = 0;
        for (final Link link : waiting) {
            count += link.progress.phase == phase ? 1 : 0;
        }
        return count;
    }

    private int tick() {
        final long nowNs = clock.nanoTime();
        int workCount = 0;
        for (final Link link : List.copyOf(waiting)) {
            try {
                workCount += tick(link, nowNs - link.progress.deadlineNs >= 0);
            } catch (final Throwable ex) {
                // Met at each turn if it stayed, and those behind it would never have theirs.
                onFault(ex);
                finish(link);
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
                    finish(link);
                    yield 1;
                }
                yield 0;
            }
            case DRAINING -> drain(link);
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
            prepare(link);
            link.progress.stage = "no answer in time (is the peer alive, and does it listen there by RDMA?)";
            endpoint.connect(Hello.of(link.slotCount()), 0, Hello.LENGTH);
        } catch (final IOException | RuntimeException | OutOfMemoryError ex) {
            fail(link, reasonOf(ex));
        }
    }

    private static String reasonOf(final Throwable thrown) {
        return thrown instanceof IOException ? String.valueOf(thrown.getMessage()) : thrown.toString();
    }

    /** Memory, queues, receives. */
    private void prepare(final Link link) throws IOException {
        final VerbsEndpoint endpoint = link.endpoint();
        final BlockPool pool = BlockPool.of(endpoint.device(), config);
        link.memory(pool, pool.take());
        link.bodies(bodies.on(endpoint.device(), pool.registrar()));
        final InetSocketAddress peer = endpoint.peerAddress();
        link.peer(peer, isOfThisMachine(peer));
        endpoint.open(Link.sendCapacity(link.slotCount()), link.slotCount(), INLINE_LENGTH);
        for (int i = 0; i < link.slotCount(); i++) {
            final long address = link.block().address() + (long) i * Chunks.SLOT_LENGTH;
            receives.put(i, i, address, Chunks.SLOT_LENGTH, link.block().localKey());
        }
        final int posted = endpoint.postReceives(receives, link.slotCount());
        if (posted != link.slotCount()) {
            throw new IOException("rdma: the device took " + posted + " of " + link.slotCount() + " receives");
        }
    }

    private static boolean isOfThisMachine(final InetSocketAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address.getAddress()) != null;
        } catch (final SocketException ignored) {
            return false;
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
            enter(link, Phase.LIVE, 0);
            final CompletableFuture<Link> dialled = link.progress.dialled;
            if (dialled == null || !dialled.complete(link)) {
                end(link);
            }
        } else if (link.progress.phase == Phase.ACCEPTED) {
            enter(link, Phase.LIVE, 0);
            if (accepted.offer(link)) {
                wakeAgent.run();
            } else {
                end(link);
            }
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
        finish(link);
    }

    // --- Accepting

    @Override
    public void onRequest(
            final VerbsListener listener,
            final VerbsEndpoint endpoint,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final int peerSlotCount = Hello.slotCount(buffer, offset, length);
        if (peerSlotCount == 0) {
            refuse(endpoint, Refusal.OTHER_VERSION);
        } else if (isClosing) {
            refuse(endpoint, Refusal.CLOSING);
        } else if (accepted.size() + countOf(Phase.ACCEPTED) >= BACKLOG) {
            refuse(endpoint, Refusal.TOO_MANY_WAIT);
        } else {
            accept(endpoint, peerSlotCount);
        }
    }

    private static void refuse(final VerbsEndpoint endpoint, final Refusal refusal) {
        endpoint.reject(Hello.of(refusal), 0, Hello.LENGTH);
        endpoint.close();
    }

    private void accept(final VerbsEndpoint endpoint, final int peerSlotCount) {
        final Link link = new Link(endpoint, config.slotCount());
        link.peerSlotCount(peerSlotCount);
        try {
            prepare(link);
        } catch (final IOException | RuntimeException | OutOfMemoryError ex) {
            report("a peer was refused: " + reasonOf(ex), ex);
            endpoint.reject(Hello.of(Refusal.NO_MEMORY), 0, Hello.LENGTH);
            endpoint.close();
            link.giveMemoryBack();
            return;
        }
        links.put(endpoint, link);
        enter(link, Phase.ACCEPTED, ACCEPT_NS);
        try {
            endpoint.accept(Hello.of(link.slotCount()), 0, Hello.LENGTH);
        } catch (final IOException ignored) {
            // The peer has gone meanwhile.
            finish(link);
        } catch (final RuntimeException | OutOfMemoryError ex) {
            finish(link);
            onFault(ex);
        }
    }

    /** The agent is notified of what was thrown. */
    void onFault(final Throwable thrown) {
        if (errors.offer(thrown)) {
            wakeAgent.run();
        }
    }

    private void report(final String text, final @Nullable Throwable cause) {
        // More than a few of the same say nothing new.
        onFault(new IOException("rdma: " + text, cause));
    }

    @Override
    public void onListenerLost(final VerbsListener listener) {
        listeners.remove(listener);
        report(
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
            case ACCEPTED, ENDING -> finish(link);
            case LIVE -> wakeAgent.run();
            case DRAINING -> drain(link);
        }
    }

    /** Looks whether the last request is complete. */
    private int drain(final Link link) {
        boolean isDrained = link.isDrained() || link.isDisconnected();
        int count;
        do {
            count = link.endpoint().poll(completions);
            for (int i = 0; i < count; i++) {
                isDrained |= completions.status(i) != Completions.SUCCESS || completions.id(i) == link.lastId();
            }
        } while (count == completions.capacity());
        if (isDrained || count < 0 || clock.nanoTime() - link.progress.deadlineNs >= 0) {
            end(link);
            return 1;
        }
        return Math.max(0, count);
    }

    private void end(final Link link) {
        if (link.isDisconnected()) {
            finish(link);
        } else {
            // Not closed at once: the system repeats the message to the peer until that has answered.
            enter(link, Phase.ENDING, END_NS);
            link.endpoint().disconnect();
        }
    }

    private void finish(final Link link) {
        links.remove(link.endpoint());
        waiting.remove(link);
        try {
            link.endpoint().close();
        } finally {
            link.giveMemoryBack();
        }
    }

    /** Frees what is left when this is done, or has to be. */
    void free() {
        List.copyOf(links.values()).forEach(this::finish);
        bodies.close();
        verbs.close();
    }
}
