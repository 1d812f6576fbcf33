package io.penstock.transport.ipc;

import io.penstock.file.FileErrors;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Listeners and connections of one agent. A poll looks into each ring, and only now and then at the sockets; a wait is
 * for the sockets, or, when all its connections have them, for futexes.
 */
final class IpcTransport implements Transport {
    private final ArrayList<IpcListener> listeners = new ArrayList<>();

    /** Closed ones stay until the next sweep, which keeps the order while handlers close and connect. */
    private final ArrayList<IpcConnection> connections = new ArrayList<>();

    private final UnsafeBuffer copy = new UnsafeBuffer(ByteBuffer.allocateDirect(RingReader.COPY_LENGTH));
    private final TransportContext context;
    private final NanoClock clock;
    private final Dialler dialler;
    private final Sockets sockets;

    /** Once an endpoint asks for it. */
    private volatile @Nullable Futexes futexes;

    private long nextConnectionId = 1;
    private int openCount;
    private int firstIndex;
    private boolean isPolling;
    private boolean isClosed;

    IpcTransport(final TransportContext context, final NanoClock clock) throws IOException {
        this.context = context;
        this.clock = clock;
        dialler = new Dialler(clock, context.connectTimeoutNs());
        sockets = new Sockets(context.loop(), clock, context.errorHandler());
    }

    @Override
    public URI listen(final URI endpoint) throws IOException {
        checkOpen(endpoint);
        final IpcEndpoint parsed = IpcEndpoint.of(endpoint);
        try {
            openFutexes(parsed);
            listeners.add(IpcListener.open(parsed, sockets.loop(), context.connectTimeoutNs()));
        } catch (final IOException ex) {
            throw new IOException(endpoint + ": cannot listen: " + reasonOf(ex), ex.getCause());
        }
        return parsed.uri();
    }

    private static String reasonOf(final IOException ex) {
        return FileErrors.reasonOf(ex);
    }

    private void checkOpen(final URI endpoint) throws IOException {
        if (isClosed) {
            throw new IOException(endpoint + ": transport is closed (open another one)");
        }
    }

    @Override
    public Connection connect(final URI endpoint) throws IOException {
        checkOpen(endpoint);
        final IpcEndpoint parsed = IpcEndpoint.of(endpoint);
        if (openCount >= context.connectionLimit()) {
            throw new IOException(endpoint + ": cannot connect: too many connections: " + openCount
                    + " (raise transport.connectionLimit)");
        }
        final IpcConnection connection;
        try {
            openFutexes(parsed);
            connection = add(dialler.dial(parsed), parsed);
            if (parsed.access() == Access.USER) {
                connection.onPrivate();
            }
        } catch (final IOException ex) {
            throw new IOException(endpoint + ": cannot connect: " + reasonOf(ex), ex.getCause());
        }
        context.handler().onConnect(connection);
        return connection;
    }

    private void openFutexes(final IpcEndpoint endpoint) throws IOException {
        if (endpoint.byFutex() && futexes == null) {
            if (!sockets.areOwned()) {
                throw new IOException("wait=futex: this thread waits for other transports as well (use wait=socket, or"
                        + " threading DEDICATED with an ioAgentCount that leaves one to ipc)");
            }
            final Futexes opened = Futexes.open();
            // A thread that saw no transport yet and woke the loop alone is not forgotten.
            opened.wakeup();
            futexes = opened;
        }
    }

    private IpcConnection add(final Dialler.Call call, final IpcEndpoint endpoint) throws IOException {
        final SelectionKey key;
        try {
            key = sockets.loop().register(call.channel(), 0, null);
        } catch (final IOException ex) {
            call.close();
            throw ex;
        }
        final Bell bell = new Bell(call.channel(), key, call.path(), context.errorHandler());
        return add(call.file(), bell, endpoint.byFutex(), RingFile.CONNECTOR, endpoint.name());
    }

    private IpcConnection add(
            final RingFile file, final Bell bell, final boolean byFutex, final int end, final String peerName) {
        sweep();
        final IpcConnection connection = new IpcConnection(
                this, context, file, bell, byFutex ? futexes : null, end, nextConnectionId++, peerName);
        connections.add(connection);
        openCount++;
        return connection;
    }

    @Override
    public int poll(final int frameLimit) {
        if (isClosed) {
            return 0;
        }
        isPolling = true;
        try {
            int workCount = flush();
            if (sockets.isLookDue()) {
                sockets.look();
                workCount += accept();
            }
            return workCount + read(frameLimit);
        } finally {
            isPolling = false;
            sweep();
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
        for (int i = 0; i < listeners.size() && !isClosed; i++) {
            workCount += accept(listeners.get(i));
        }
        return workCount;
    }

    private int accept(final IpcListener listener) {
        final long nowNs = clock.nanoTime();
        int workCount = 0;
        try {
            listener.accept(nowNs);
            Caller caller;
            while (!isClosed && (caller = listener.take(nowNs)) != null) {
                workCount++;
                accept(listener, caller);
            }
        } catch (final IOException ex) {
            context.errorHandler().onError(ex);
        }
        return workCount;
    }

    private void accept(final IpcListener listener, final Caller caller) throws IOException {
        if (!caller.hello().isWhole()) {
            context.counters().onProtocolError();
            context.handler().onRefused(listener.name(), "has not said who it is in time");
            listener.refuse(caller);
        } else if (openCount >= context.connectionLimit()) {
            context.counters().onConnectionRefused();
            context.handler().onRefused(peerName(listener, caller), "too many connections: " + openCount);
            listener.refuse(caller);
        } else {
            final IpcConnection connection = admit(listener, caller);
            if (connection != null) {
                context.handler().onConnect(connection);
            }
        }
    }

    private @Nullable IpcConnection admit(final IpcListener listener, final Caller caller) throws IOException {
        try {
            final int userId = listener.userIdOf(caller);
            final RingFile file = listener.filesOf(caller);
            final Bell bell = new Bell(caller.channel(), caller.key(), null, context.errorHandler());
            final IpcConnection connection =
                    add(file, bell, listener.byFutex(), RingFile.ACCEPTOR, peerName(listener, caller));
            connection.onPeerKnown(userId);
            return connection;
        } catch (final IOException ex) {
            context.counters().onProtocolError();
            context.errorHandler().onError(new IOException(listener.name() + ": peer refused: " + reasonOf(ex), ex));
            listener.refuse(caller);
            return null;
        }
    }

    private static String peerName(final IpcListener listener, final Caller caller) {
        return listener.name() + " (" + caller.user().getName() + ")";
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

    /** The memory to which records are copied before they are read. */
    UnsafeBuffer copy() {
        return copy;
    }

    @Override
    public void await(final long timeoutNs) {
        if (isClosed) {
            return;
        }
        final Futexes waiting = futexes;
        if (timeoutNs <= 0) {
            flush();
        } else if (waiting != null && ringAllByFutex()) {
            awaitFutexes(waiting, timeoutNs);
        } else if (prepareToWait()) {
            sockets.await(timeoutNs);
        }
    }

    /** Somebody at the door is heard by sockets alone, and so is the first one. */
    private boolean ringAllByFutex() {
        if (connections.isEmpty() || connections.size() > Futexes.PEER_COUNT_MAX) {
            return false;
        }
        for (int i = 0, size = connections.size(); i < size; i++) {
            if (!connections.get(i).ringsByFutex()) {
                return false;
            }
        }
        for (int i = 0, size = listeners.size(); i < size; i++) {
            if (listeners.get(i).hasCallers()) {
                return false;
            }
        }
        return true;
    }

    private void awaitFutexes(final Futexes waiting, final long timeoutNs) {
        flush();
        // Here and not in a poll alone, as an owner may wait many times without one.
        if (sockets.sinceLookNs() >= Futexes.WAIT_NS_MAX) {
            sockets.look();
            sockets.lookNextTime();
        }
        if (isReady()) {
            return;
        }
        waiting.begin();
        for (int i = 0, size = connections.size(); i < size; i++) {
            connections.get(i).askToBeWoken(waiting);
        }
        VarHandle.fullFence();
        final long leftNs = Futexes.WAIT_NS_MAX - sockets.sinceLookNs();
        if (!isReady() && leftNs > 0) {
            waiting.await(Math.min(timeoutNs, leftNs));
        }
    }

    @Override
    public boolean prepareToWait() {
        if (isClosed) {
            return true;
        }
        flush();
        if (isReady()) {
            return false;
        }
        for (int i = 0, size = connections.size(); i < size; i++) {
            connections.get(i).askToBeRung();
        }
        VarHandle.fullFence();
        sockets.lookNextTime();
        return !isReady();
    }

    private boolean isReady() {
        for (int i = 0, size = connections.size(); i < size; i++) {
            if (connections.get(i).isReady()) {
                return true;
            }
        }
        for (int i = 0, size = listeners.size(); i < size; i++) {
            if (listeners.get(i).isReady(clock.nanoTime())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void wakeup() {
        sockets.loop().wakeup();
        final Futexes waiting = futexes;
        if (waiting != null) {
            waiting.wakeup();
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        for (final IpcListener listener : listeners) {
            try {
                listener.close();
            } catch (final IOException ex) {
                context.errorHandler().onError(ex);
            }
        }
        listeners.clear();
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).close();
        }
        sweep();
        sockets.close();
    }

    /** A connection was closed; the next poll lets the selector close its descriptor. */
    void onClosed() {
        openCount--;
        sockets.lookNextTime();
    }

    private void sweep() {
        if (isPolling || openCount == connections.size()) {
            return;
        }
        connections.removeIf(IpcConnection::isClosed);
    }
}
