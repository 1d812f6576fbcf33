package io.penstock.transport.stream.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.SelectorLoop;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamSocket;
import io.penstock.transport.stream.nio.NioSocketLoop;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many peers that connect and say nothing, on a clock that the test moves. */
@Timeout(60)
class TlsCrowdTest {
    private static final int PEER_COUNT = 40;
    private static final int EXPIRED_COUNT_MAX = 8;
    private static final int TIMEOUT_MS = 1_000;

    @TempDir
    private Path folder;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final List<Socket> peers = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private final TransportCounters counters = new TransportCounters();

    @AfterEach
    void closeAll() throws IOException {
        for (final Socket peer : peers) {
            peer.close();
        }
    }

    @Test
    void shouldGiveUpFewInEachPollWhenTheTimeOfManyIsUp() throws IOException {
        try (TlsSocketLoop loop = loop(new CountedLoop(), PEER_COUNT)) {
            connect(loop, PEER_COUNT, loop::isFull);
            clock.advance(TimeUnit.MILLISECONDS.toNanos(2 * TIMEOUT_MS));
            for (int i = 1; i <= PEER_COUNT / EXPIRED_COUNT_MAX; i++) {
                loop.poll();
                assertThat(refusals).hasSize(i * EXPIRED_COUNT_MAX);
            }
            assertThat(refusals).allMatch(reason -> reason.contains("not done within 1000 ms"));
            loop.poll();
            assertThat(counters.handshakesFailed()).isEqualTo(PEER_COUNT);
        }
    }

    @Test
    void shouldDoNothingForPeersThatSayNothing() throws IOException {
        final CountedLoop medium = new CountedLoop();
        try (TlsSocketLoop loop = loop(medium, PEER_COUNT)) {
            connect(loop, PEER_COUNT, loop::isFull);
            loop.poll();
            // It wakes itself when there are more steps than it takes in a poll.
            assertThat(medium.wakeupCount).isZero();
        }
    }

    @Test
    void shouldGiveUpTheOldestWhenAnAddressHasTooMany() throws IOException {
        try (TlsSocketLoop loop = loop(new CountedLoop(), 400)) {
            connect(loop, 101, () -> !refusals.isEmpty());
            assertThat(refusals)
                    .singleElement()
                    .asString()
                    .startsWith("more than 100 handshakes of its address are not done");
            assertThat(peers.get(0).getInputStream().read()).isNegative();
            connect(loop, 10, () -> refusals.size() == 11);
        }
    }

    private TlsSocketLoop loop(final SocketLoop medium, final int handshakeLimit) throws IOException {
        final TestCertificate certificate = new TestAuthority("authority").issue("server", "127.0.0.1");
        final TlsConfig config = TlsConfig.defaults()
                .handshakeTimeoutMs(TIMEOUT_MS)
                .certificate(
                        certificate.writeCertificate(folder.resolve("own.pem")),
                        certificate.writeKey(folder.resolve("own.key")));
        return new TlsSocketLoop(
                medium,
                TlsContexts.forServer(config, InstantSource.system()),
                counters,
                (peer, reason) -> refusals.add(reason),
                clock,
                handshakeLimit);
    }

    /** Connects peers that say nothing, and accepts until something is so. */
    private void connect(final TlsSocketLoop loop, final int count, final BooleanSupplier condition)
            throws IOException {
        final InetAddress host = InetAddress.getLoopbackAddress();
        final ListenSocket listening = loop.listen(new InetSocketAddress(host, 0));
        for (int i = 0; i < count; i++) {
            peers.add(new Socket(host, listening.port()));
        }
        while (!condition.getAsBoolean()) {
            assertThat(listening.accept()).isNull();
        }
    }

    /** Sockets of Java's selector, with a count of wake-ups. */
    private static final class CountedLoop implements SocketLoop {
        private final NioSocketLoop sockets;
        private int wakeupCount;

        CountedLoop() throws IOException {
            sockets = new NioSocketLoop(new SelectorLoop(), true);
        }

        @Override
        public ListenSocket listen(final InetSocketAddress address) throws IOException {
            return sockets.listen(address);
        }

        @Override
        public StreamSocket connect(final InetSocketAddress address) throws IOException {
            return sockets.connect(address);
        }

        @Override
        public void poll() throws IOException {
            sockets.poll();
        }

        @Override
        public void await(final long timeoutNs) throws IOException {
            sockets.await(timeoutNs);
        }

        @Override
        public void wakeup() {
            wakeupCount++;
            sockets.wakeup();
        }

        @Override
        public void close() {
            sockets.close();
        }
    }
}
