package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.CertificateFiles;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.broker.SecurityConfig;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.chunk.ChunkHello;
import io.penstock.orb.pool.PoolConfig;
import io.penstock.orb.pool.PooledSocketFactory;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that have the JDK's own keys. */
@Timeout(60)
class RmiTlsTest {
    private static final int IDLE_TIMEOUT_MS = 4000;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final String PASSWORD = JdkKeys.PASSWORD;

    @TempDir
    private Path folder;

    @Test
    void shouldServeClientsWithACertificateAndNoOthersWhenEncrypted() throws Exception {
        final String keys = JdkKeys.KEYS;
        final RmiConfig rmi = new RmiConfig(0, "127.0.0.1", "", 8, 1024, 16, IDLE_TIMEOUT_MS, List.of(), false, true);
        final TlsConfig tls = TlsConfig.defaults()
                .certificate(keys, "")
                .password(PASSWORD)
                .trust(JdkKeys.AUTHORITY.writeTrust(folder.resolve("trust.pem")), "")
                .clientCertificates(ClientCertificates.REQUIRED);

        final SecurityConfig users =
                CertificateFiles.users(folder.resolve("users"), CertificateFiles.USERS.replace("CN=ann", "CN=bridge"));
        try (Harness harness = Harness.of(BridgeConfig.defaults().rmi(rmi), users, tls)) {
            final PenstockBroker broker = (PenstockBroker)
                    LocateRegistry.getRegistry("127.0.0.1", harness.port(), new SslRMIClientSocketFactory())
                            .lookup(PenstockBroker.NAME);

            assertThat(broker.echo(new byte[70_000])).hasSize(70_000);
            assertThatThrownBy(() -> broker.publish(RmiCertificateTest.message(), false))
                    .isInstanceOf(BrokerException.class);
            final PenstockBroker session = broker.logon(new Credentials("", "", ""));
            session.publish(RmiCertificateTest.message(), false);
            session.logoff();
            assertThatThrownBy(harness::lookup).isInstanceOf(RemoteException.class);
            assertPooled(harness);
            assertNeverPlain(keys);
            assertStuckIsClosed(keys);
            assertDeafIsClosed(harness, broker);
            assertThatThrownBy(() -> answerWithoutCertificate(JdkKeys.TRUSTED, harness.port()))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    private static void assertPooled(final Harness harness) throws Exception {
        try (PooledSocketFactory pool = new PooledSocketFactory(encrypted())) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());

            assertThat(broker.echo(new byte[700_000])).hasSize(700_000);

            assertThat(pool.counters().openConnections()).isEqualTo(1);
            assertThat(pool.counters().plainConnections()).isZero();
        }
    }

    private static PoolConfig encrypted() {
        return PoolConfig.defaults().sockets(SSLSocketFactory.getDefault());
    }

    /** Whoever is on the way can close a connection without a good-bye; nothing is sent without TLS then. */
    private static void assertNeverPlain(final String keys) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                PooledSocketFactory pool = new PooledSocketFactory(encrypted())) {
            final FutureTask<Integer> first = new FutureTask<>(() -> {
                final Socket raw = server.accept();
                handshaken(raw, keys).getInputStream().readNBytes(ChunkHello.LENGTH);
                raw.close();
                try (Socket next = server.accept()) {
                    return next.getInputStream().read();
                }
            });
            new Thread(first).start();

            try (Socket socket = pool.createSocket("127.0.0.1", server.getLocalPort())) {
                assertThatThrownBy(() -> socket.getOutputStream().write("JRMI".getBytes(StandardCharsets.US_ASCII)))
                        .isInstanceOf(IOException.class);
            }

            assertThat(first.get()).isEqualTo(TLS_HANDSHAKE);
        }
    }

    /** The good-bye of TLS would wait for the write that is stuck. */
    private static void assertStuckIsClosed(final String keys) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                PooledSocketFactory pool = new PooledSocketFactory(encrypted().callTimeoutMs(1_000))) {
            final FutureTask<Socket> deaf = new FutureTask<>(() -> {
                final Socket socket = handshaken(server.accept(), keys);
                socket.getInputStream().readNBytes(ChunkHello.LENGTH);
                socket.getOutputStream().write(new ChunkHello(64 * 1024, 16 << 20, 16, 0).bytes());
                return socket;
            });
            new Thread(deaf).start();
            final Socket caller = pool.createSocket("127.0.0.1", server.getLocalPort());
            final FutureTask<Void> writing = new FutureTask<>(() -> {
                caller.getOutputStream().write(new byte[16 << 20]);
                return null;
            });
            new Thread(writing).start();

            assertThatThrownBy(() -> writing.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
            assertThat(Harness.await(() -> pool.counters().openConnections() == 0))
                    .isTrue();
            deaf.get().close();
        }
    }

    private static SSLSocket handshaken(final Socket raw, final String keys) throws Exception {
        final KeyManagerFactory known = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        known.init(KeyStore.getInstance(Path.of(keys).toFile(), PASSWORD.toCharArray()), PASSWORD.toCharArray());
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(known.getKeyManagers(), null, null);
        final SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(raw, "127.0.0.1", raw.getPort(), true);
        socket.setUseClientMode(false);
        socket.startHandshake();
        return socket;
    }

    private static void assertDeafIsClosed(final Harness harness, final PenstockBroker broker) throws Exception {
        final byte[] call = RawCall.of(broker, "echo", new byte[16 * 1024 * 1024]);
        try (Socket plain = new Socket()) {
            plain.setReceiveBufferSize(4096);
            plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), harness.port()));
            final Socket deaf = ((SSLSocketFactory) SSLSocketFactory.getDefault())
                    .createSocket(plain, "127.0.0.1", harness.port(), false);
            deaf.getOutputStream().write(call);

            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .isTrue();
        }
    }

    private static int answerWithoutCertificate(final String keys, final int port) throws Exception {
        final KeyStore trusted = KeyStore.getInstance(Path.of(keys).toFile(), PASSWORD.toCharArray());
        final TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (Socket socket = context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            // What a client begins with; the bridge would answer.
            socket.getOutputStream().write(new byte[] {'J', 'R', 'M', 'I', 0, 2, 0x4B});
            return socket.getInputStream().read();
        }
    }

    @Test
    void shouldNameKeyAndRemedyWhenThereIsNoCertificate() {
        assertThatThrownBy(() -> Harness.of(
                        BridgeConfig.defaults().rmi(RmiConfig.none().port(0).tls(true))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bridge.rmi.tls: is true, but there is no certificate (give tls.certificate and tls.key)");
    }
}
