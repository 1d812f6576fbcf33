package io.penstock.transport.ipc;

import io.penstock.transport.ReadyListener;
import io.penstock.transport.SelectorLoop;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A listener on a directory, and the peers that are connecting to it. Owned by the agent of its transport. */
final class IpcListener implements ReadyListener {
    /** Further ones wait in the socket's backlog. */
    private static final int CALLER_LIMIT = 256;

    private static final long PAUSE_NS = 100_000_000L;

    private final ArrayList<Caller> callers = new ArrayList<>();
    private final IpcEndpoint endpoint;
    private final IpcDirectory directory;
    private final ServerSocketChannel door;
    private final SelectionKey key;
    private final SelectorLoop loop;
    private final long callTimeoutNs;
    private boolean isKnocked;
    private boolean isPaused;
    private long pausedUntilNs;

    private IpcListener(
            final IpcEndpoint endpoint,
            final IpcDirectory directory,
            final ServerSocketChannel door,
            final SelectorLoop loop,
            final long callTimeoutNs)
            throws IOException {
        this.endpoint = endpoint;
        this.directory = directory;
        this.door = door;
        this.loop = loop;
        this.callTimeoutNs = callTimeoutNs;
        key = loop.register(door, SelectionKey.OP_ACCEPT, this);
    }

    static IpcListener open(final IpcEndpoint endpoint, final SelectorLoop loop, final long callTimeoutNs)
            throws IOException {
        final IpcDirectory directory = IpcDirectory.take(endpoint);
        try {
            final ServerSocketChannel door = directory.open();
            try {
                return new IpcListener(endpoint, directory, door, loop, callTimeoutNs);
            } catch (final IOException ex) {
                door.close();
                throw ex;
            }
        } catch (final IOException ex) {
            directory.close();
            throw ex;
        }
    }

    String name() {
        return endpoint.name();
    }

    /** Whether a peer is connecting that has not sent everything yet, or was not let in. */
    boolean hasCallers() {
        return isKnocked || !callers.isEmpty();
    }

    /** Whether it waits for its connections by futexes. */
    boolean byFutex() {
        return endpoint.byFutex();
    }

    @Override
    public void onReady(final boolean isReadable, final boolean isWritable) {
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
                callers.add(Caller.of(channel, loop, nowNs + callTimeoutNs));
            }
        } catch (final IOException ex) {
            pause(nowNs + PAUSE_NS);
            throw ex;
        }
        if (callers.size() >= CALLER_LIMIT) {
            pause(nowNs);
        }
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

    /**
     * Number of the user that runs a caller, as the kernel reports it: that of its file, if it is that user's, by one
     * look, since a name may lead to another file at the next.
     */
    int userIdOf(final Caller caller) throws IOException {
        final Path file = IpcDirectory.ringsOf(directory.path(), caller.hello().id());
        final Map<String, Object> found = Files.readAttributes(file, "unix:uid,owner", LinkOption.NOFOLLOW_LINKS);
        if (!caller.user().equals(found.get("owner")) || !(found.get("uid") instanceof Integer userId)) {
            throw new IOException(
                    file + " belongs to another user than " + caller.user().getName());
        }
        return userId;
    }

    /** Takes over the file of a caller that has said all. */
    RingFile filesOf(final Caller caller) throws IOException {
        return RingFile.take(
                IpcDirectory.ringsOf(directory.path(), caller.hello().id()),
                caller.user(),
                endpoint.ringLength(),
                endpoint.access());
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
