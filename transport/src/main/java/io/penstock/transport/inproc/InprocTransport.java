package io.penstock.transport.inproc;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.WakeupFlag;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Listeners and connections of one agent. */
final class InprocTransport implements Transport {
    private final ArrayList<InprocListener> listeners = new ArrayList<>();

    /** Closed ones stay until the next sweep, which keeps the order while handlers close and connect. */
    private final ArrayList<InprocConnection> connections = new ArrayList<>();

    private final WakeupFlag wakeupFlag = new WakeupFlag();
    private final TransportContext context;

    /** Written before the flag says that it waits, and read only after it was seen to say so. */
    private @Nullable Thread waiter;

    private final InprocRegistry registry;
    private long nextConnectionId = 1;
    private int openCount;
    private int firstIndex;
    private boolean isPolling;
    private boolean isClosed;

    InprocTransport(final TransportContext context, final InprocRegistry registry) {
        this.context = context;
        this.registry = registry;
    }

    @Override
    public URI listen(final URI endpoint) throws IOException {
        final String name = nameOf(endpoint);
        final InprocListener listener = new InprocListener(name, context.wakeup());
        if (!registry.add(listener)) {
            throw new IOException(
                    endpoint + ": cannot listen: name already in use (choose another name, or close what has it)");
        }
        listeners.add(listener);
        return InprocEndpoint.endpointOf(name);
    }

    @Override
    public Connection connect(final URI endpoint) throws IOException {
        final String name = nameOf(endpoint);
        final InprocListener listener = registry.find(name);
        if (listener == null) {
            throw new IOException(endpoint
                    + ": cannot connect: nobody listens on this name in this process (start the listener first)");
        }
        if (openCount >= context.connectionLimit()) {
            throw new IOException(endpoint + ": cannot connect: too many connections: " + openCount
                    + " (raise transport.connectionLimit)");
        }
        final InprocLink link = new InprocLink(context.wakeup(), listener.wakeup());
        final InprocConnection connection = add(link, true, name);
        if (!listener.offer(link)) {
            link.release(link.acceptor(), link.connector());
            connection.close();
            throw new IOException(endpoint + ": cannot connect: too many connections wait to be accepted: "
                    + InprocListener.BACKLOG_LIMIT + " (try again later)");
        }
        context.handler().onConnect(connection);
        return connection;
    }

    private String nameOf(final URI endpoint) throws IOException {
        if (isClosed) {
            throw new IOException(endpoint + ": transport is closed (open another one)");
        }
        return InprocEndpoint.nameOf(endpoint);
    }

    private InprocConnection add(final InprocLink link, final boolean isConnector, final String name) {
        sweep();
        final InprocConnection connection = new InprocConnection(
                this, context, link, isConnector, nextConnectionId++, InprocEndpoint.SCHEME + ":" + name);
        connections.add(connection);
        openCount++;
        return connection;
    }

    @Override
    public int poll(final int frameLimit) {
        isPolling = true;
        try {
            return flush() + accept(frameLimit) + read(frameLimit);
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

    private int accept(final int limit) {
        int workCount = 0;
        for (int i = 0, size = listeners.size(); i < size; i++) {
            final InprocListener listener = listeners.get(i);
            InprocLink link;
            while (workCount < limit && (link = listener.poll()) != null) {
                accept(link, listener.name());
                workCount++;
            }
        }
        return workCount;
    }

    private void accept(final InprocLink link, final String name) {
        if (openCount >= context.connectionLimit()) {
            context.counters().onConnectionRefused();
            context.handler().onRefused(name, "too many connections: " + openCount);
            link.release(link.acceptor(), link.connector());
        } else {
            context.handler().onConnect(add(link, false, name));
        }
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
        flush();
        if (timeoutNs <= 0 || isReady()) {
            return;
        }
        waiter = Thread.currentThread();
        if (wakeupFlag.beginWait()) {
            LockSupport.parkNanos(this, timeoutNs);
        }
        wakeupFlag.endWait();
    }

    private boolean isReady() {
        for (int i = 0, size = connections.size(); i < size; i++) {
            if (connections.get(i).isReady()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void wakeup() {
        if (wakeupFlag.wake()) {
            LockSupport.unpark(waiter);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        for (final InprocListener listener : listeners) {
            registry.remove(listener);
            listener.close();
        }
        listeners.clear();
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).close();
        }
        sweep();
    }

    void onClosed() {
        openCount--;
    }

    private void sweep() {
        if (isPolling || openCount == connections.size()) {
            return;
        }
        connections.removeIf(InprocConnection::isClosed);
    }
}
