package io.penstock.transport.stream;

import io.penstock.transport.ReadyListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.agrona.concurrent.CachedNanoClock;
import org.jspecify.annotations.Nullable;

/** A loop that reports what a test sets, and whose waits move the clock. */
final class FakeLoop implements SocketLoop, ListenSocket {
    final CachedNanoClock clock = new CachedNanoClock();
    final ArrayDeque<StreamSocket> toAccept = new ArrayDeque<>();

    @Nullable
    IOException acceptError;

    boolean isAccepting = true;
    int wakeupCount;
    StreamSocket connecting = new FakeSocket(false);
    private @Nullable ReadyListener listener;

    @Override
    public ListenSocket listen(final InetSocketAddress address) {
        return this;
    }

    @Override
    public StreamSocket connect(final InetSocketAddress address) {
        return connecting;
    }

    @Override
    public void poll() {
        if (isAccepting && listener != null && (acceptError != null || !toAccept.isEmpty())) {
            listener.onReady(true, false);
        }
    }

    @Override
    public void await(final long timeoutNs) {
        clock.advance(timeoutNs);
    }

    @Override
    public void wakeup() {
        wakeupCount++;
    }

    @Override
    public void listener(final ReadyListener value) {
        listener = value;
    }

    @Override
    public int port() {
        return 1;
    }

    @Override
    public @Nullable StreamSocket accept() throws IOException {
        if (acceptError != null) {
            throw acceptError;
        }
        return toAccept.pollFirst();
    }

    @Override
    public void interest(final boolean accepting) {
        isAccepting = accepting;
    }

    @Override
    public void close() {}
}
