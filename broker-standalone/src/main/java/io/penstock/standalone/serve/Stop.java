package io.penstock.standalone.serve;

import io.penstock.admin.AdminServer;
import io.penstock.bridge.Bridge;
import io.penstock.broker.Broker;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Counted;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Ends a broker, its bridge and its admin server, in order, when the process is asked to end. */
final class Stop implements Runnable {
    private static final long POLL_NS = 10_000_000;

    private final Served served;
    private final @Nullable Bridge bridge;
    private final @Nullable AdminServer admin;
    private final int drainS;
    private final PrintWriter out;
    private final ServiceNotice notice;

    Stop(
            final Served served,
            final @Nullable Bridge bridge,
            final @Nullable AdminServer admin,
            final int drainS,
            final PrintWriter out,
            final ServiceNotice notice) {
        this.admin = admin;
        this.served = served;
        this.bridge = bridge;
        this.drainS = drainS;
        this.out = out;
        this.notice = notice;
    }

    @Override
    public void run() {
        final Broker broker = served.broker();
        out.printf("stopping: delivering what was accepted, for at most %d s%n", drainS);
        out.flush();
        notice.stopping();
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(drainS);
        final boolean isDelivered = broker.drain(Duration.ofSeconds(drainS));
        final long leftLength = bridge == null ? 0 : awaitTaken(bridge, deadlineNs);
        final boolean isDrained = isDelivered && (bridge == null || bridge.isIdle());
        if (bridge != null) {
            bridge.close();
        }
        if (admin != null) {
            admin.close();
        }
        served.close();
        out.printf(
                "stopped: %s taken, %,d delivered; %s%n",
                Counted.of(broker.counter("messages"), "message"),
                broker.counter("messagesDelivered"),
                isDrained ? "nothing was left" : left(leftLength));
        out.flush();
        // The JVM would report the signal as a failure.
        Runtime.getRuntime().halt(isDrained ? Main.EXIT_OK : Main.EXIT_FAILED);
    }

    /** Waits until clients of the bridge have what it was given; returns how many bytes wait still. */
    private static long awaitTaken(final Bridge bridge, final long deadlineNs) {
        // Twice: what is taken just now neither waits nor is on its way.
        for (int idleCount = 0; idleCount < 2 && System.nanoTime() - deadlineNs < 0; ) {
            LockSupport.parkNanos(bridge, POLL_NS);
            idleCount = bridge.isIdle() ? idleCount + 1 : 0;
        }
        return bridge.heldLength();
    }

    private static String left(final long bridgeLength) {
        return bridgeLength == 0
                ? "some deliveries were cut off"
                : String.format(
                        Locale.ROOT,
                        "some deliveries were cut off: %,d bytes waited for clients of the bridge",
                        bridgeLength);
    }
}
