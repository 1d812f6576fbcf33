package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsHandler;
import io.penstock.transport.rdma.verbs.VerbsListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A transport's way to a {@link FakeFabric}. */
final class FakeVerbs implements Verbs {
    private final Semaphore eventSignal = new Semaphore(0);
    private final Semaphore completionSignal = new Semaphore(0);
    private final ArrayDeque<Consumer<VerbsHandler>> events = new ArrayDeque<>();
    private final FakeFabric fabric;

    FakeVerbs(final FakeFabric fabric) {
        this.fabric = fabric;
    }

    @Override
    public String name() {
        return FakeFabric.NAME;
    }

    @Override
    public VerbsListener listen(final InetSocketAddress address, final int backlog) throws IOException {
        return fabric.listen(this, address);
    }

    @Override
    public VerbsEndpoint resolve(final InetSocketAddress peer, final int timeoutMs) {
        final FakeEndpoint endpoint =
                new FakeEndpoint(fabric, this, new InetSocketAddress(FakeFabric.local(), fabric.port()), peer);
        report(handler -> {
            if (!endpoint.isClosed()) {
                handler.onResolved(endpoint);
            }
        });
        return endpoint;
    }

    void report(final Consumer<VerbsHandler> event) {
        synchronized (fabric) {
            events.add(event);
        }
        eventSignal.release();
    }

    @Override
    public int pollEvents(final VerbsHandler handler, final int limit) {
        int count = 0;
        while (count < limit) {
            final Consumer<VerbsHandler> event;
            synchronized (fabric) {
                event = events.poll();
            }
            if (event == null) {
                break;
            }
            event.accept(handler);
            count++;
        }
        return count;
    }

    @Override
    public void awaitEvents(final long timeoutNs) {
        await(eventSignal, timeoutNs);
    }

    @Override
    public void wakeupEvents() {
        eventSignal.release();
    }

    @Override
    public void awaitCompletions(final long timeoutNs) {
        await(completionSignal, timeoutNs);
    }

    @Override
    public void wakeupCompletions() {
        completionSignal.release();
    }

    private static void await(final Semaphore signal, final long timeoutNs) {
        try {
            if (timeoutNs < 0) {
                signal.acquire();
            } else if (!signal.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS)) {
                return;
            }
            signal.drainPermits();
        } catch (final InterruptedException ignored) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    static UnsafeBuffer copy(final DirectBuffer buffer, final int offset, final int length) {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
        copy.putBytes(0, buffer, offset, length);
        return copy;
    }
}
