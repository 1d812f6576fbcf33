package io.penstock.transport.rdma;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.WakeupFlag;
import io.penstock.transport.rdma.verbs.Verbs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Connections of one agent. A poll looks into the queue of each; a wait asks each queue to ring, looks once more, and
 * sleeps. The {@link ControlLoop} does all slow work.
 */
final class RdmaTransport implements Transport {
    /** The control thread ends an attempt in time by itself; this is for the case that it does not. */
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(2);

    /** Closed ones stay until the next sweep, which keeps the order while handlers close and connect. */
    private final ArrayList<RdmaConnection> connections = new ArrayList<>();

    private final WakeupFlag wakeupFlag = new WakeupFlag();
    private final Scratch scratch = new Scratch();
    private final TransportContext context;
    private final NanoClock clock;
    private final Verbs verbs;
    private final ControlLoop control;
    private final ControlThread controlThread;
    private final long spinNs;
    private long nextConnectionId = 1;
    private int openCount;
    private int firstIndex;
    private boolean isPolling;
    private boolean isSpinWorthwhile;
    private boolean isClosed;

    RdmaTransport(final TransportContext context, final Verbs verbs, final RdmaConfig config, final NanoClock clock) {
        this.context = context;
        this.clock = clock;
        this.verbs = verbs;
        spinNs = config.spinNs();
        control = new ControlLoop(verbs, config, clock, context.connectTimeoutNs(), this::onControl);
        controlThread = new ControlThread(control, context.errorHandler());
        controlThread.start();
    }

    /** The control thread has something for the agent, which may wait in another transport. */
    private void onControl() {
        wakeup();
    }

    ControlLoop control() {
        return control;
    }

    @Override
    public URI listen(final URI endpoint) throws IOException {
        checkOpen(endpoint);
        final RdmaEndpoint parsed = RdmaEndpoint.parse(endpoint);
        try {
            final InetSocketAddress bound = result(control.listen(parsed.resolve()));
            return parsed.bound(bound.getPort());
        } catch (final IOException ex) {
            throw new IOException(endpoint + ": cannot listen: " + ex.getMessage(), ex);
        }
    }

    private void checkOpen(final URI endpoint) throws IOException {
        if (isClosed) {
            throw new IOException(endpoint + ": transport is closed (open another one)");
        }
    }

    /** Waits for the control thread. */
    private <T> T result(final CompletableFuture<T> future) throws IOException {
        try {
            return future.get(context.connectTimeoutNs() + SLACK_NS, TimeUnit.NANOSECONDS);
        } catch (final ExecutionException ex) {
            throw new IOException(
                    ex.getCause() == null ? ex.toString() : ex.getCause().getMessage(), ex);
        } catch (final TimeoutException ex) {
            return cancelled(future, "the system does not answer in time (see its log)", ex);
        } catch (final InterruptedException ex) {
            Thread.currentThread().interrupt();
            return cancelled(future, "interrupted", ex);
        }
    }

    /** A result that came at the last moment is taken: the control thread has handed it over. */
    static <T> T cancelled(final CompletableFuture<T> future, final String reason, final Exception cause)
            throws IOException {
        if (future.cancel(false) || future.isCompletedExceptionally()) {
            throw new IOException(reason, cause);
        }
        return future.join();
    }

    @Override
    public Connection connect(final URI endpoint) throws IOException {
        checkOpen(endpoint);
        final RdmaEndpoint parsed = RdmaEndpoint.parse(endpoint);
        if (openCount >= context.connectionLimit()) {
            throw new IOException(endpoint + ": cannot connect: too many connections: " + openCount
                    + " (raise transport.connectionLimit)");
        }
        final RdmaConnection connection;
        try {
            connection = add(result(control.dial(parsed.resolve())));
        } catch (final IOException ex) {
            throw new IOException(endpoint + ": cannot connect: " + ex.getMessage(), ex);
        }
        context.handler().onConnect(connection);
        return connection;
    }

    private RdmaConnection add(final Link link) {
        sweep();
        final RdmaConnection connection = new RdmaConnection(this, context, scratch, link, nextConnectionId++);
        connections.add(connection);
        openCount++;
        return connection;
    }

    @Override
    public void prepareBodies(final DirectBuffer memory) {
        control.bodies().add(memory);
    }

    /** Returns when the device of a link reads no memory any more. */
    void breakOff(final Link link) {
        try {
            result(control.breakOff(link));
        } catch (final IOException e) {
            context.errorHandler().onError(e);
        }
    }

    @Override
    public int poll(final int frameLimit) {
        if (isClosed) {
            return 0;
        }
        isPolling = true;
        try {
            return flush() + accept() + read(frameLimit);
        } finally {
            isPolling = false;
            sweep();
            if (isClosed) {
                controlThread.close();
            }
        }
    }

    private int flush() {
        int workCount = 0;
        for (int i = 0, size = connections.size(); i < size; i++) {
            workCount += connections.get(i).flush();
        }
        return workCount;
    }

    private int accept() {
        int workCount = 0;
        Link link;
        while (!isClosed && (link = control.takeAccepted()) != null) {
            workCount++;
            if (openCount >= context.connectionLimit()) {
                context.counters().onConnectionRefused();
                final RdmaConnection connection = add(link);
                context.handler().onRefused(connection.peer(), "too many connections: " + openCount);
                connection.close();
            } else {
                context.handler().onConnect(add(link));
            }
        }
        Throwable error;
        while ((error = control.takeError()) != null) {
            context.errorHandler().onError(error);
        }
        return workCount;
    }

    /** Starts one connection further each time, so that a busy one cannot use up the limit before the others. */
    private int read(final int limit) {
        final int size = connections.size();
        int index = firstIndex < size ? firstIndex : 0;
        firstIndex = index + 1;
        int workCount = 0;
        for (int i = 0; i < size && workCount < limit && !isClosed; i++) {
            workCount += connections.get(index).poll(limit - workCount);
            index = index + 1 < size ? index + 1 : 0;
        }
        return workCount;
    }

    @Override
    public void await(final long timeoutNs) {
        if (isClosed) {
            return;
        }
        flush();
        if (timeoutNs <= 0 || isReady()) {
            return;
        }
        if (wakeupFlag.beginWait() && !spin(Math.min(timeoutNs, spinNs))) {
            arm();
            reap();
            if (!isReady()) {
                sleep(timeoutNs);
            }
        }
        wakeupFlag.endWait();
    }

    /** Looks for a while, if that was worthwhile the last time. */
    private boolean spin(final long durationNs) {
        if (!isSpinWorthwhile) {
            return false;
        }
        final long startNs = clock.nanoTime();
        boolean isFound;
        do {
            reap();
            isFound = isReady() || wakeupFlag.isWoken();
        } while (!isFound && clock.nanoTime() - startNs < durationNs);
        isSpinWorthwhile = isFound;
        return isFound;
    }

    private void sleep(final long timeoutNs) {
        final long startNs = clock.nanoTime();
        verbs.awaitCompletions(timeoutNs);
        isSpinWorthwhile = clock.nanoTime() - startNs < spinNs;
    }

    private void arm() {
        for (int i = 0, size = connections.size(); i < size; i++) {
            final RdmaConnection connection = connections.get(i);
            if (!connection.isArmed()) {
                connection.arm();
            }
        }
    }

    private void reap() {
        for (int i = 0, size = connections.size(); i < size; i++) {
            connections.get(i).reap();
        }
    }

    private boolean isReady() {
        for (int i = 0, size = connections.size(); i < size; i++) {
            if (connections.get(i).isReady()) {
                return true;
            }
        }
        return control.hasAccepted();
    }

    @Override
    public void wakeup() {
        if (wakeupFlag.wake()) {
            verbs.wakeupCompletions();
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        // When a handler closes it, the poll that called the handler does the rest: until then its buffer stays.
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).close();
        }
        sweep();
        if (!isPolling) {
            controlThread.close();
        }
    }

    void onClosed() {
        openCount--;
    }

    private void sweep() {
        if (isPolling || openCount == connections.size()) {
            return;
        }
        connections.removeIf(RdmaConnection::isClosed);
    }
}
