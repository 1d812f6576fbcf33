package io.penstock.orb.chunk;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Both ends of a connection, each with one side of the protocol, or the bare socket. */
final class Pair implements AutoCloseable {
    static final int WINDOW = 8 * 1024;
    static final int STREAMS = 8;
    static final ChunkHello HELLO = new ChunkHello(4 * 1024, WINDOW, STREAMS, 0);

    private static final int TIMEOUT_MS = 50;

    final Socket callerSocket;
    final Socket serverSocket;
    private final ChunkHello hello;
    final Calls calls = new Calls();
    final ChunkCounters counters = new ChunkCounters();
    final ChunkConnection caller;
    final ChunkConnection server;

    Pair() throws IOException {
        this(HELLO);
    }

    Pair(final ChunkHello hello) throws IOException {
        this.hello = hello;
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            callerSocket = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
            serverSocket = listening.accept();
        }
        callerSocket.setSoTimeout(TIMEOUT_MS);
        serverSocket.setSoTimeout(TIMEOUT_MS);
        caller = connection(callerSocket, true, new Calls());
        server = connection(serverSocket, false, calls);
    }

    private ChunkConnection connection(final Socket socket, final boolean isCaller, final Calls listener)
            throws IOException {
        return new ChunkConnection(
                socket.getInputStream(), socket.getOutputStream(), socket, hello, hello, isCaller, listener, counters);
    }

    static long soonNs() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    }

    static byte[] framed(final byte[] payload) {
        final byte[] bytes = new byte[ChunkFrame.HEADER_LENGTH + payload.length];
        System.arraycopy(payload, 0, bytes, ChunkFrame.HEADER_LENGTH, payload.length);
        return bytes;
    }

    /** Sends all, with a flag on the last frame. */
    static void send(final ChunkStream stream, final byte[] payload, final int flags) throws IOException {
        stream.send(framed(payload), ChunkFrame.HEADER_LENGTH, payload.length, flags, soonNs());
    }

    /** Reads just so many. */
    static byte[] read(final ChunkStream stream, final int count) throws IOException {
        final byte[] bytes = new byte[count];
        int at = 0;
        while (at < count) {
            final int read = stream.read(bytes, at, count - at, soonNs());
            if (read < 0) {
                throw new IOException("ended after " + at);
            }
            at += read;
        }
        return bytes;
    }

    /** The next stream that the caller has begun, held. */
    ChunkStream accepted() throws Exception {
        while (calls.streams.isEmpty()) {
            try {
                final boolean unused = server.receive();
            } catch (final java.net.SocketTimeoutException e) {
                // Nothing has come yet.
            }
        }
        final ChunkStream stream = calls.streams.take();
        stream.hold();
        return stream;
    }

    @Override
    public void close() {
        caller.close();
        server.close();
    }

    /** Notes its calls. */
    static final class Calls implements ChunkListener {
        private final SegmentPool segments = new SegmentPool(256 * 1024);
        final LinkedBlockingQueue<ChunkStream> streams = new LinkedBlockingQueue<>();
        final AtomicLong heldLength = new AtomicLong();
        final AtomicLong ends = new AtomicLong();
        volatile long heldLengthMax = Long.MAX_VALUE;

        @Override
        public void onBytes(final ChunkStream stream) {
            streams.add(stream);
        }

        @Override
        public void onReadOn() {
            // Nothing else is to be done here.
        }

        @Override
        public boolean hold(final int length) {
            if (heldLength.get() + length > heldLengthMax) {
                return false;
            }
            heldLength.addAndGet(length);
            return true;
        }

        @Override
        public boolean holdMore(final int length) {
            return hold(length);
        }

        @Override
        public SegmentPool segments() {
            return segments;
        }

        @Override
        public void onEnd() {
            ends.incrementAndGet();
        }
    }
}
