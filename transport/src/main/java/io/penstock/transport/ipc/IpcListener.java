package io.penstock.transport.ipc;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** A directory that is listened on, and who stands at its door. Owned by the agent of its transport. */
final class IpcListener {
    /** Further ones wait in the socket's backlog. */
    private static final int CALLER_LIMIT = 256;

    private static final long PAUSE_NS = 100_000_000L;

    private final ArrayList<Caller> callers = new ArrayList<>();
    private final IpcEndpoint endpoint;
    private final IpcDirectory directory;
    private final ServerSocketChannel door;
    private final SelectionKey key;
    private final Selector selector;
    private final long callTimeoutNs;
    private boolean isKnocked;
    private boolean isPaused;
    private long pausedUntilNs;

    private IpcListener(
            final IpcEndpoint endpoint,
            final IpcDirectory directory,
            final ServerSocketChannel door,
            final Selector selector,
            final long callTimeoutNs)
            throws IOException {
        this.endpoint = endpoint;
        this.directory = directory;
        this.door = door;
        this.selector = selector;
        this.callTimeoutNs = callTimeoutNs;
        key = door.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    static IpcListener open(final IpcEndpoint endpoint, final Selector selector, final long callTimeoutNs)
            throws IOException {
        final IpcDirectory directory = IpcDirectory.take(endpoint);
        try {
            return new IpcListener(endpoint, directory, directory.open(), selector, callTimeoutNs);
        } catch (final IOException ex) {
            directory.close();
            throw ex;
        }
    }

    String name() {
        return endpoint.text();
    }

    void onKnock() {
        isKnocked = true;
    }

    /** Whether a poll finds work here. */
    boolean isReady(final long nowNs) {
        if (isKnocked) {
            return true;
        }
        for (int i = 0, size = callers.size(); i < size; i++) {
            if (callers.get(i).isDue(nowNs)) {
                return true;
            }
        }
        return false;
    }

    /** Lets callers in from the socket. Throws when the system refuses, and then rests for a while. */
    void accept(final long nowNs) throws IOException {
        if (isPaused && nowNs - pausedUntilNs >= 0 && callers.size() < CALLER_LIMIT) {
            isPaused = false;
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
        if (!isKnocked) {
            return;
        }
        isKnocked = false;
        try {
            SocketChannel channel;
            while (callers.size() < CALLER_LIMIT && (channel = door.accept()) != null) {
                add(channel, nowNs);
            }
        } catch (final IOException ex) {
            pause(nowNs + PAUSE_NS);
            throw ex;
        }
        if (callers.size() >= CALLER_LIMIT) {
            pause(nowNs);
        }
    }

    private void add(final SocketChannel channel, final long nowNs) throws IOException {
        channel.configureBlocking(false);
        final Caller caller = new Caller(channel, nowNs + callTimeoutNs);
        callers.add(caller);
        caller.read();
        channel.register(selector, caller.isDue(nowNs) ? 0 : SelectionKey.OP_READ, caller);
    }

    private void pause(final long untilNs) {
        isPaused = true;
        pausedUntilNs = untilNs;
        key.interestOps(0);
    }

    /** Takes one that has said all it will. Null when there is none. */
    @Nullable
    Caller take(final long nowNs) {
        for (int i = 0, size = callers.size(); i < size; i++) {
            if (callers.get(i).isDue(nowNs)) {
                return callers.remove(i);
            }
        }
        return null;
    }

    /** Takes over the file of a caller that has said all. */
    RingFile filesOf(final Caller caller) throws IOException {
        return RingFile.take(
                IpcDirectory.ringsOf(directory.path(), caller.hello().id()));
    }

    /** Sends a caller away, and removes what it left. */
    void refuse(final Caller caller) throws IOException {
        caller.close();
        if (caller.hello().isNamed()) {
            Files.deleteIfExists(
                    IpcDirectory.ringsOf(directory.path(), caller.hello().id()));
        }
    }

    void close() throws IOException {
        try (directory) {
            door.close();
            for (final Caller caller : callers) {
                caller.close();
            }
            callers.clear();
        }
    }
}
