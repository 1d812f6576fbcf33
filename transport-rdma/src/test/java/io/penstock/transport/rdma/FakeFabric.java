package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import io.penstock.transport.rdma.verbs.VerbsProvider;
import io.penstock.transport.rdma.verbs.VerbsRegistration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A network of one device, in memory: what is sent is copied between the two ends' registered memory. It keeps the
 * rules that a device keeps: keys are checked, receives are used in order, a send without a receive breaks the
 * connection, a queue has a length. Fails on demand. All of it is under one lock, so that any thread may use it.
 */
final class FakeFabric implements VerbsProvider, VerbsDevice {
    static final String NAME = "fake";
    static final int INLINE_LENGTH = 64;

    /** A completion is seen after up to so many polls, by chance. */
    int lateness;

    /** The next registrations fail. */
    boolean isOutOfMemory;

    /** Requests to connect are lost. */
    boolean isDeaf;

    /** How many requests for a peer's address from now on until one fails; 0 for none. */
    int addressFault;

    /** Address and length of each, by its key. */
    private final Int2ObjectHashMap<long[]> regionByKey = new Int2ObjectHashMap<>();

    private final UnsafeBuffer source = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
    private final Map<Integer, FakeListener> listenerByPort = new HashMap<>();
    /** All that were ever made: those that connect, and after each the one that accepted. */
    final List<FakeEndpoint> endpoints = new ArrayList<>();

    private final Random random;
    private int nextKey = 1;
    private int nextPort = 40_000;
    private int registrationCount;

    FakeFabric(final long seed) {
        random = new Random(seed);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Verbs open() {
        return new FakeVerbs(this);
    }

    @Override
    public long registrationLengthMax() {
        return 1L << 40;
    }

    @Override
    public synchronized VerbsRegistration register(final long address, final long length, final int access)
            throws IOException {
        if (isOutOfMemory) {
            throw new IOException("Cannot allocate memory (errno 12)");
        }
        final int key = nextKey++;
        registrationCount++;
        regionByKey.put(key, new long[] {address, length});
        return new VerbsRegistration() {
            @Override
            public int localKey() {
                return key;
            }

            @Override
            public int remoteKey() {
                return key;
            }

            @Override
            public void close() {
                forget(key);
            }
        };
    }

    private synchronized void forget(final int key) {
        regionByKey.remove(key);
    }

    synchronized int registrationCount() {
        return registrationCount;
    }

    /** Whether a request may name this memory. */
    boolean isRegistered(final long address, final int length, final int key) {
        final long[] region = regionByKey.get(key);
        return region != null && address >= region[0] && address + length <= region[0] + region[1];
    }

    void copy(final long from, final long to, final int length) {
        source.wrap(from, length);
        target.wrap(to, length);
        target.putBytes(0, source, 0, length);
    }

    static void check(final boolean isTrue, final String what) {
        if (!isTrue) {
            throw new AssertionError(what);
        }
    }

    synchronized void checkAddress() {
        if (addressFault > 0 && --addressFault == 0) {
            throw new IllegalStateException("rdma: not an IPv4 address");
        }
    }

    int delay() {
        return lateness == 0 ? 0 : random.nextInt(lateness + 1);
    }

    synchronized FakeListener listen(final FakeVerbs verbs, final InetSocketAddress address) throws IOException {
        final int port = address.getPort() == 0 ? nextPort++ : address.getPort();
        if (listenerByPort.containsKey(port)) {
            throw new IOException("Address already in use (errno 98) (use another port, or 0 for any)");
        }
        final FakeListener listener = new FakeListener(this, verbs, new InetSocketAddress(local(), port));
        listenerByPort.put(port, listener);
        return listener;
    }

    @Nullable
    synchronized FakeListener listener(final int port) {
        return listenerByPort.get(port);
    }

    synchronized void close(final FakeListener listener) {
        listenerByPort.remove(listener.address().getPort(), listener);
    }

    synchronized int port() {
        return nextPort++;
    }

    static InetAddress local() {
        return InetAddress.getLoopbackAddress();
    }
}
