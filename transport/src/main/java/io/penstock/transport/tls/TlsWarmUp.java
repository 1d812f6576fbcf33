package io.penstock.transport.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Does the first half of a handshake with itself, so that the classes that takes are loaded before a client comes, and no
 * agent waits for that.
 */
final class TlsWarmUp implements Runnable {
    private static final int STEP_COUNT = 4;
    private static final int LENGTH = 64 * 1024;

    private final TlsContexts contexts;

    TlsWarmUp(final TlsContexts contexts) {
        this.contexts = contexts;
    }

    @Override
    public void run() {
        final SSLEngine server = contexts.serverEngine();
        try {
            with(server);
        } finally {
            server.closeOutbound();
            ReleasableEngine.release(server);
        }
    }

    private void with(final SSLEngine server) {
        final SSLEngine client = contexts.clientEngine("localhost", 1);
        final ByteBuffer toServer = ByteBuffer.allocateDirect(LENGTH);
        final ByteBuffer toClient = ByteBuffer.allocateDirect(LENGTH);
        try {
            for (int i = 0; i < STEP_COUNT; i++) {
                step(client, toServer, toClient);
                step(server, toClient, toServer);
            }
        } catch (final SSLException e) {
            // The client need not trust the server. All that was to be done is done.
            client.closeOutbound();
        } finally {
            ReleasableEngine.release(client);
        }
    }

    private static void step(final SSLEngine engine, final ByteBuffer out, final ByteBuffer in) throws SSLException {
        in.flip();
        engine.unwrap(in, ByteBuffer.allocate(LENGTH));
        in.compact();
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
        engine.wrap(ByteBuffer.allocate(0), out);
    }
}
