package io.penstock.standalone.serve;

import io.penstock.bridge.Bridge;
import io.penstock.broker.Broker;
import io.penstock.standalone.Main;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Ends a broker in order, when the process is asked to end. */
final class Stop implements Runnable {
    private final Broker broker;
    private final @Nullable Bridge bridge;
    private final int drainS;
    private final PrintWriter out;

    Stop(final Broker broker, final @Nullable Bridge bridge, final int drainS, final PrintWriter out) {
        this.broker = broker;
        this.bridge = bridge;
        this.drainS = drainS;
        this.out = out;
    }

    @Override
    public void run() {
        out.printf("stopping: delivering what was accepted, for at most %d s%n", drainS);
        out.flush();
        final boolean isDrained = broker.drain(Duration.ofSeconds(drainS));
        if (bridge != null) {
            bridge.close();
        }
        broker.close();
        out.printf(
                "stopped: %,d messages taken, %,d delivered; %s%n",
                broker.counter("messages"),
                broker.counter("messagesDelivered"),
                isDrained ? "nothing was left" : "some deliveries were cut off");
        out.flush();
        // The JVM would report the signal as a failure.
        Runtime.getRuntime().halt(isDrained ? Main.EXIT_OK : Main.EXIT_FAILED);
    }
}
