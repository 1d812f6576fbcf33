package io.penstock.bridge.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Stands between a client and a broker, and stops handing data over on demand. */
public final class StallingProxy implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final int port;
    private volatile CountDownLatch goesOn = new CountDownLatch(0);

    public StallingProxy(final int port) throws IOException {
        this.port = port;
        start(() -> {
            while (true) {
                final Socket client = server.accept();
                final Socket broker = new Socket(InetAddress.getLoopbackAddress(), this.port);
                sockets.add(client);
                sockets.add(broker);
                start(() -> pump(client, broker));
                start(() -> pump(broker, client));
            }
        });
    }

    public String endpoint() {
        return "tcp://127.0.0.1:" + server.getLocalPort();
    }

    /** Stops until it is resumed; a second call changes nothing. */
    public synchronized void stall() {
        if (goesOn.getCount() == 0) {
            goesOn = new CountDownLatch(1);
        }
    }

    /** Hands over again, and first what has come meanwhile. */
    public void resume() {
        goesOn.countDown();
    }

    private static void start(final Work work) {
        final Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (final IOException e) {
                        // One side is closed.
                        return;
                    } catch (final InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "stalling-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void pump(final Socket from, final Socket to) throws IOException, InterruptedException {
        try (from;
                to) {
            final InputStream in = from.getInputStream();
            final OutputStream out = to.getOutputStream();
            final byte[] piece = new byte[64 * 1024];
            int read = in.read(piece);
            while (read >= 0) {
                goesOn.await();
                out.write(piece, 0, read);
                read = in.read(piece);
            }
        }
    }

    @Override
    public void close() throws IOException {
        resume();
        server.close();
        for (final Socket each : sockets) {
            each.close();
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }
}
