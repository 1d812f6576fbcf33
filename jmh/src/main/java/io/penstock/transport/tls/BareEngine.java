package io.penstock.transport.tls;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import org.jspecify.annotations.Nullable;

/** Two engines, of which one encrypts what the other one decrypts, over sockets that do not block or without. */
final class BareEngine implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int LENGTH = 128 * 1024;
    private static final int STEP_COUNT = 20;

    private final SSLEngine client;
    private final SSLEngine server;
    private final boolean hasSockets;
    private final ByteBuffer toServer = ByteBuffer.allocateDirect(LENGTH);
    private final ByteBuffer toClient = ByteBuffer.allocateDirect(LENGTH);
    private final ByteBuffer arrived = ByteBuffer.allocateDirect(LENGTH);
    private final ByteBuffer result = ByteBuffer.allocateDirect(LENGTH);

    BareEngine(final TlsContexts contexts, final boolean hasSockets) throws IOException {
        client = contexts.clientEngine("127.0.0.1", 1);
        server = contexts.serverEngine();
        this.hasSockets = hasSockets;
        for (int i = 0; i < STEP_COUNT; i++) {
            step(client, toServer, toClient);
            step(server, toClient, toServer);
        }
        toServer.clear();
        toClient.clear();
    }

    private void step(final SSLEngine engine, final ByteBuffer out, final ByteBuffer in) throws IOException {
        in.flip();
        result.clear();
        engine.unwrap(in, result);
        in.compact();
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
        engine.wrap(ByteBuffer.allocate(0), out);
    }

    /** Nanoseconds of processor time for each sending of a length. */
    double run(final int length, final long count) throws IOException {
        if (!hasSockets) {
            return run(length, count, null, null);
        }
        final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel listening = ServerSocketChannel.open().bind(any);
                SocketChannel from = SocketChannel.open(listening.getLocalAddress());
                SocketChannel to = listening.accept()) {
            from.configureBlocking(false);
            to.configureBlocking(false);
            return run(length, count, from, to);
        }
    }

    private double run(
            final int length, final long count, final @Nullable SocketChannel from, final @Nullable SocketChannel to)
            throws IOException {
        final ByteBuffer message = ByteBuffer.allocateDirect(length);
        final long total = length * count;
        long received = 0;
        arrived.clear();
        final long startNs = THREADS.getCurrentThreadCpuTime();
        for (long i = 0; i < count; i++) {
            message.clear();
            toServer.clear();
            while (message.hasRemaining()) {
                client.wrap(message, toServer);
            }
            toServer.flip();
            do {
                if (from == null || to == null) {
                    arrived.put(toServer);
                } else {
                    from.write(toServer);
                    to.read(arrived);
                }
                received += decrypt();
            } while (toServer.hasRemaining());
        }
        while (to != null && received < total) {
            to.read(arrived);
            received += decrypt();
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - startNs) / count;
    }

    @Override
    public void close() {
        ReleasableEngine.release(client);
        ReleasableEngine.release(server);
    }

    private long decrypt() throws IOException {
        arrived.flip();
        long length = 0;
        SSLEngineResult step;
        do {
            result.clear();
            step = server.unwrap(arrived, result);
            length += step.bytesProduced();
        } while (step.getStatus() == SSLEngineResult.Status.OK && step.bytesConsumed() > 0);
        arrived.compact();
        return length;
    }
}
