package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import io.penstock.orb.chunk.SegmentPool;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallerSocketTest {
    private static final int IDLE_TIMEOUT_MS = 100;

    @Test
    void shouldBeThereUntilItIsClosedWhenItsGoodByeHangs() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                Socket raw = server.accept()) {
            final AtomicInteger closedCount = new AtomicInteger();
            final CallerSocket caller = new CallerSocket(
                    raw,
                    new Polite(raw),
                    raw.getInputStream(),
                    IDLE_TIMEOUT_MS,
                    1000,
                    () -> {},
                    Unshared.SHARING,
                    closedCount::incrementAndGet);
            final Thread thread = new Thread(() -> {
                try {
                    caller.close();
                } catch (final IOException e) {
                    // It was aborted.
                    return;
                }
            });
            thread.start();

            assertThat(Harness.await(() -> caller.isStuck(System.nanoTime()))).isTrue();
            assertThat(closedCount).hasValue(0);
            caller.abort();
            thread.join();

            assertThat(closedCount).hasValue(1);
            assertThat(client.getInputStream().read()).isNegative();
        }
    }

    /** Waits for the other's good-bye before it closes, as TLS may. */
    private static final class Polite extends Socket {
        private final Socket raw;

        Polite(final Socket raw) {
            this.raw = raw;
        }

        @Override
        public InetAddress getInetAddress() {
            return raw.getInetAddress();
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return raw.getInputStream();
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return raw.getOutputStream();
        }

        @Override
        public synchronized void setSoTimeout(final int timeoutMs) {
            // It waits for good.
        }

        @Override
        public synchronized void close() throws IOException {
            final int unused = raw.getInputStream().read();
            raw.close();
        }
    }

    /** Nothing is shared. */
    private static final class Unshared implements Sharing {
        private static final Sharing SHARING = new Unshared();

        @Override
        public void serve(final CallerSocket socket, final InputStream in, final OutputStream out, final byte[] head) {
            throw new IllegalStateException("is not to be shared");
        }

        @Override
        public void onTls(final CallerSocket socket) {
            throw new IllegalStateException("speaks no TLS");
        }

        @Override
        public boolean open(final Lane lane) {
            return false;
        }

        @Override
        public boolean hold(final int length) {
            return false;
        }

        @Override
        public boolean holdMore(final int length) {
            return false;
        }

        @Override
        public SegmentPool segments() {
            return new SegmentPool(0);
        }
    }
}
