package io.penstock.transport.stream;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** A transport over the sockets of a {@link SocketLoop}. */
public final class StreamTransport implements Transport {
    /** Length of the buffer through which all connections are read. */
    public static final int RECEIVE_LENGTH = 256 * 1024;

    /** A body of at least this length is sent from where it lies; below it, a call of its own costs more than a copy. */
    static final int GATHER_LENGTH_MIN = 32 * 1024;

    private final StreamListeners listeners;
    private final ArrayList<StreamConnection> connections = new ArrayList<>();
    private final ArrayList<StreamConnection> dirty = new ArrayList<>();
    private final ArrayDeque<StreamConnection> refused = new ArrayDeque<>();
    private final ArrayDeque<StreamConnection> ready = new ArrayDeque<>();
    private final StreamMemory memory;
    private final TransportContext context;
    private final StreamMedium medium;
    private final SocketLoop loop;
    private final NanoClock clock;
    private long nextConnectionId = 1;

    /** The last wait found something, so that the next poll need not ask again. */
    private boolean isSelected;

    private boolean isPolling;
    private boolean isClosed;
    private boolean isFreed;

    /**
     * A transport without listeners and connections.
     *
     * @param context of the agent that owns it.
     * @param medium  of its endpoints.
     * @param loop    which it closes.
     * @param clock   for time-outs.
     */
    public StreamTransport(
            final TransportContext context, final StreamMedium medium, final SocketLoop loop, final NanoClock clock) {
        this(context, medium, loop, clock, RECEIVE_LENGTH, GATHER_LENGTH_MIN);
    }

    /**
     * With lengths that measurements vary.
     *
     * @param context         of the agent that owns it.
     * @param medium          of its endpoints.
     * @param loop            which it closes.
     * @param clock           for time-outs.
     * @param receiveLength   of the buffer that all connections are read through.
     * @param gatherLengthMin of a body that is sent from where it lies.
     */
    public StreamTransport(
            final TransportContext context,
            final StreamMedium medium,
            final SocketLoop loop,
            final NanoClock clock,
            final int receiveLength,
            final int gatherLengthMin) {
        this.context = context;
        this.medium = medium;
        this.loop = loop;
        this.clock = clock;
        listeners = new StreamListeners(clock);
        memory = new StreamMemory(receiveLength, gatherLengthMin);
    }

    @Override
    public URI listen(final URI uri) throws IOException {
        final StreamEndpoint endpoint = parse(uri);
        final InetAddress address = endpoint.resolve()[0];
        final ListenSocket socket;
        try {
            socket = loop.listen(new InetSocketAddress(address, endpoint.port()));
        } catch (final IOException ex) {
            throw SocketErrors.cannot("listen", endpoint, ex);
        }
        listeners.add(new StreamListener(this, endpoint, socket));
        return endpoint.bound(socket.port());
    }

    @Override
    public Connection connect(final URI uri) throws IOException {
        final StreamEndpoint endpoint = parse(uri);
        if (connections.size() >= context.connectionLimit()) {
            throw new IOException(uri + ": cannot connect: too many connections: " + connections.size()
                    + " (raise transport.connectionLimit)");
        }
        return add(connectAny(endpoint), endpoint);
    }

    private StreamSocket connectAny(final StreamEndpoint endpoint) throws IOException {
        final long deadlineNs = clock.nanoTime() + context.connectTimeoutNs();
        @Nullable IOException failure = null;
        for (final InetAddress address : endpoint.resolve()) {
            try {
                return connect(new InetSocketAddress(address, endpoint.port()), deadlineNs);
            } catch (final IOException ex) {
                failure = ex;
            }
        }
        throw SocketErrors.cannot("connect", endpoint, failure == null ? new ConnectException() : failure);
    }

    private StreamEndpoint parse(final URI uri) throws IOException {
        if (isClosed) {
            throw new IOException(uri + ": transport is closed (open another one)");
        }
        final StreamEndpoint endpoint = StreamEndpoint.parse(uri, medium);
        return endpoint;
    }

    private StreamSocket connect(final InetSocketAddress address, final long deadlineNs) throws IOException {
        final StreamSocket socket = loop.connect(address);
        boolean hasWaited = false;
        try {
            while (!socket.finishConnect()) {
                final long remainingNs = deadlineNs - clock.nanoTime();
                if (remainingNs <= 0) {
                    throw new ConnectException(
                            "no answer within " + TimeUnit.NANOSECONDS.toMillis(context.connectTimeoutNs()) + " ms");
                }
                loop.await(remainingNs);
                hasWaited = true;
            }
            // Fails when the peer has already disconnected.
            socket.remoteAddress();
            return socket;
        } catch (final IOException ex) {
            socket.close();
            throw ex;
        } finally {
            if (hasWaited) {
                // It may have used up a wake-up that was meant for the agent's own wait.
                loop.wakeup();
            }
        }
    }

    private Connection add(final StreamSocket socket, final StreamEndpoint endpoint) throws IOException {
        final StreamConnection connection;
        try {
            final String peer = peerOf(socket, endpoint);
            final boolean isLocal = socket.remoteAddress().getAddress().isLoopbackAddress();
            final int sendLengthMax = endpoint.sendLengthMax(medium);
            connection = new StreamConnection(this, context, socket, peer, isLocal, sendLengthMax, nextConnectionId++);
        } catch (final IOException ex) {
            socket.close();
            throw ex;
        }
        connection.listIndex(connections.size());
        connections.add(connection);
        context.handler().onConnect(connection);
        return connection;
    }

    private String peerOf(final StreamSocket socket, final StreamEndpoint endpoint) throws IOException {
        return StreamEndpoint.textOf(medium.check().schemeOf(socket, endpoint), socket.remoteAddress());
    }

    @Override
    public int poll(final int frameLimit) {
        if (isClosed) {
            return 0;
        }
        isPolling = true;
        try {
            final int flushCount = flush();
            if (!isSelected) {
                select(0);
            }
            isSelected = false;
            return flushCount + listeners.accept() + retryRefused() + workReady(frameLimit);
        } finally {
            isPolling = false;
            if (isClosed) {
                free();
            }
        }
    }

    private int flush() {
        final int count = dirty.size();
        for (int i = 0; i < count; i++) {
            dirty.get(i).flush();
        }
        dirty.clear();
        return count;
    }

    private void select(final long timeoutNs) {
        try {
            if (timeoutNs > 0) {
                loop.await(timeoutNs);
            } else {
                loop.poll();
            }
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    void onAccept(final StreamSocket socket, final StreamEndpoint endpoint) throws IOException {
        if (connections.size() >= context.connectionLimit()) {
            context.counters().onConnectionRefused();
            try {
                context.handler().onRefused(peerOf(socket, endpoint), "too many connections: " + connections.size());
            } finally {
                socket.close();
            }
        } else {
            add(socket, endpoint);
        }
    }

    void onAcceptError(final StreamListener listener, final IOException ex) {
        context.errorHandler().onError(ex);
        listeners.pause(listener);
    }

    private int retryRefused() {
        int workCount = 0;
        for (int i = refused.size(); i > 0 && !isClosed; i--) {
            workCount += refused.removeFirst().retry();
        }
        return workCount;
    }

    private int workReady(final int frameLimit) {
        int workCount = 0;
        for (int i = ready.size(); i > 0 && workCount < frameLimit && !isClosed; i--) {
            workCount += ready.removeFirst().work(memory.received(), frameLimit - workCount);
        }
        return workCount;
    }

    @Override
    public void await(final long timeoutNs) {
        if (isClosed) {
            return;
        }
        flush();
        if (timeoutNs > 0 && !isAnythingReady()) {
            select(listeners.waitNs(timeoutNs));
            isSelected = isAnythingReady();
        }
    }

    private boolean isAnythingReady() {
        return !ready.isEmpty() || listeners.isAnyReady();
    }

    @Override
    public boolean prepareToWait() {
        if (isClosed) {
            return true;
        }
        flush();
        return !isAnythingReady();
    }

    @Override
    public void wakeup() {
        loop.wakeup();
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        listeners.close();
        // From the end, so that none is moved.
        while (!connections.isEmpty()) {
            connections.get(connections.size() - 1).close();
        }
        if (!isPolling) {
            free();
        }
    }

    /** Not while a handler that closes this transport still looks at the memory. */
    private void free() {
        if (!isFreed) {
            isFreed = true;
            loop.close();
            memory.close();
        }
    }

    ChunkPool pool() {
        return memory.pool();
    }

    int gatherLengthMin() {
        return memory.gatherLengthMin();
    }

    void onDirty(final StreamConnection connection) {
        dirty.add(connection);
    }

    void onReady(final StreamConnection connection) {
        ready.addLast(connection);
    }

    void onRefused(final StreamConnection connection) {
        refused.addLast(connection);
    }

    /** The last one takes its place in the list. */
    void onClosed(final StreamConnection connection, final boolean isDirty) {
        if (isDirty) {
            dirty.remove(connection);
        }
        final StreamConnection last = connections.remove(connections.size() - 1);
        if (last != connection) {
            connections.set(connection.listIndex(), last);
            last.listIndex(connection.listIndex());
        }
    }
}
