package io.penstock.simulator;

import io.penstock.simulator.Reached.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Links between clients and the broker: frames take their time, and are lost with their connection. */
final class SimNetwork {
    private static final ThreadLocal<SimNetwork> OF_THREAD = new ThreadLocal<>();

    final Reached reached;
    final Trace trace;
    final SplittableRandom random;
    final SimClock clock;

    /** Changes what the broker sends, for bugs that are planted; null leaves a frame out. */
    Tamper tamper = (link, frame) -> frame;

    /** Changes what the broker gets, likewise. */
    UnaryOperator<byte[]> commandTamper = frame -> frame;

    private final ArrayDeque<SimLink> pending = new ArrayDeque<>();
    private final List<SimLink> links = new ArrayList<>();
    private boolean listening;
    private Life life = new Life();
    private long nextLinkId;

    /** Whether frames arrive at once, and all of them. */
    private boolean isCalm;

    /** Changes frames on their way. */
    @FunctionalInterface
    interface Tamper {
        byte @Nullable [] onFrame(SimLink link, byte[] frame);
    }

    SimNetwork(final SplittableRandom random, final SimClock clock, final Trace trace, final Reached reached) {
        this.random = random;
        this.clock = clock;
        this.trace = trace;
        this.reached = reached;
    }

    /** The network of the run on this thread. */
    static SimNetwork ofThread() {
        return OF_THREAD.get();
    }

    /** Makes this the network of transports that are opened on this thread, for one run of a broker. */
    void begin(final Life present) {
        OF_THREAD.set(this);
        life = present;
        listening = false;
    }

    static void end() {
        OF_THREAD.remove();
    }

    Life life() {
        return life;
    }

    void listen() {
        listening = true;
    }

    void calm(final boolean value) {
        isCalm = value;
    }

    boolean isCalm() {
        return isCalm;
    }

    /** Connects a client; null when no broker is there. */
    @Nullable
    SimLink connect() {
        if (!listening) {
            return null;
        }
        final SimLink link = new SimLink(this, nextLinkId++, 1024 << random.nextInt(5));
        pending.add(link);
        links.add(link);
        return link;
    }

    @Nullable
    SimLink accept() {
        return pending.poll();
    }

    /** When a frame that is sent now arrives, after the one before it. */
    long arrivalNs(final long lastNs) {
        if (isCalm) {
            return clock.nanoTime();
        }
        final long delayNs = random.nextInt(8) == 0 ? random.nextInt(20_000_000) : random.nextInt(200_000);
        return Math.max(lastNs, clock.nanoTime() + delayNs);
    }

    /** Breaks a connection; what is in flight is lost from some frame on. */
    void cut(final SimLink link) {
        if (!link.isCut()) {
            reached.add(State.CONNECTION_LOST);
            trace.add("connection lost", link.id(), 0);
            link.cut();
        }
    }

    /** Breaks one of the connections. */
    void cutAny() {
        links.removeIf(SimLink::isCut);
        if (!links.isEmpty()) {
            cut(links.get(random.nextInt(links.size())));
        }
    }

    /** The broker has ended: all connections with it. */
    void cutAll() {
        listening = false;
        pending.clear();
        links.forEach(SimLink::cut);
        links.clear();
    }

    /** Whether nothing is on its way to clients. */
    boolean isIdle() {
        for (final SimLink link : links) {
            if (!link.isCut() && !link.isIdle()) {
                return false;
            }
        }
        return pending.isEmpty();
    }
}
