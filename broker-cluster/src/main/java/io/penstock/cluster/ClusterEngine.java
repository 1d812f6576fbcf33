package io.penstock.cluster;

import io.penstock.file.FileErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * What makes the order, on one node: Aeron's part, and the ways into it and out of it. First the ways are made, by who starts a
 * broker with {@link #consensus()}; then it is started. Opened, started and closed by one thread.
 */
final class ClusterEngine implements AutoCloseable {
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long START_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** What Aeron says of a file whose process was seen alive a moment ago: it may have been killed since. */
    private static final String ACTIVE = "active";

    private final ClusterConfig config;
    private final ClusterDirectory directory;
    private final AeronConsensus consensus;
    private final AtomicReference<@Nullable Running> running = new AtomicReference<>();

    /** What is closed when the node leaves. */
    private record Running(AgentRunner ingress, ClusterNode node) {
        void close() {
            CloseHelper.quietCloseAll(ingress, node);
        }
    }

    private ClusterEngine(
            final ClusterConfig config, final ClusterDirectory directory, final Consumer<String> onLeave) {
        this.config = config;
        this.directory = directory;
        consensus =
                new AeronConsensus(config.member(), directory.incarnation(), reason -> startLeaving(reason, onLeave));
    }

    /**
     * Opens the node's directory.
     *
     * @param config  of the node.
     * @param onLeave called at most once, with the reason, when the node has left the others and is not to come back with the
     *                state that it has.
     * @return not started.
     * @throws UncheckedIOException when the directory cannot be used.
     */
    static ClusterEngine open(final ClusterConfig config, final Consumer<String> onLeave) {
        try {
            final ClusterDirectory directory = ClusterDirectory.open(Path.of(config.directory()), config.member());
            boolean isOpen = false;
            try {
                DriverDirectory.prepare(config.driverPath());
                isOpen = true;
                return new ClusterEngine(config, directory, onLeave);
            } finally {
                if (!isOpen) {
                    directory.close();
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(FileErrors.textOf(e), e);
        }
    }

    /** What a broker sees of it. */
    AeronConsensus consensus() {
        return consensus;
    }

    /** Of this node's own files. */
    Path journal() {
        return directory.journal();
    }

    /**
     * Begins to take commands in and to give decided ones out.
     *
     * @param greeting of the node.
     * @throws UncheckedIOException when the node does not start, for example since a port is taken.
     */
    void start(final Greeting greeting) {
        final ClusterNode node = startNode(new LogService(
                consensus.rings(),
                greeting,
                consensus,
                SystemNanoClock.INSTANCE,
                TimeUnit.MILLISECONDS.toNanos(config.stuckMs())));
        final IngressAgent agent = new IngressAgent(
                ClusterNode.session(config, consensus::onError),
                consensus.lanes(),
                greeting.command(config.member(), directory.incarnation()),
                consensus::onMaybeLost,
                SystemNanoClock.INSTANCE);
        final AgentRunner ingress = new AgentRunner(ClusterNode.idle(), consensus::onError, null, agent);
        running.set(new Running(ingress, node));
        AgentRunner.startOnThread(ingress);
        if (consensus.isClosing()) {
            // It has left while it started, and nobody has seen what runs.
            stop();
        }
    }

    /** A node that was killed cannot start for some seconds, as its files look like those of one that runs. */
    private ClusterNode startNode(final LogService service) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (true) {
            try {
                DriverDirectory.checkNotActive(config.driverPath());
                return ClusterNode.start(config, directory, service, consensus);
            } catch (final RuntimeException e) {
                if (!String.valueOf(e.getMessage()).contains(ACTIVE)
                        || SystemNanoClock.INSTANCE.nanoTime() - startNs > START_TIMEOUT_NS) {
                    throw new UncheckedIOException(
                            "cluster: the node does not start: " + e.getMessage(), new IOException(e));
                }
                LockSupport.parkNanos(START_AGAIN_NS);
            }
        }
    }

    /** Not on the thread that has noticed it, which may be one of those that end. */
    private void startLeaving(final String reason, final Consumer<String> onLeave) {
        final Thread leaving = new Thread(
                () -> {
                    stop();
                    onLeave.accept(reason);
                },
                "cluster-leave");
        leaving.setDaemon(true);
        leaving.start();
    }

    private void stop() {
        consensus.startClosing();
        final Running present = running.getAndSet(null);
        if (present != null) {
            present.close();
        }
    }

    /** Leaves in an orderly way, so that the others notice at once. Idempotent. */
    @Override
    public void close() {
        stop();
        if (config.driverDirectory().isEmpty()) {
            DriverDirectory.deleteAbove(config.driverPath());
        }
        directory.close();
    }
}
