package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.BridgeConfig;
import io.penstock.bridge.Harness;
import io.penstock.bridge.RmiConfig;
import io.penstock.bridge.TlsConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.PenstockBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The one test that uses the JDK's own keys, which it reads once in a process. */
@Timeout(60)
class RmiTlsTest {
    private static final int IDLE_TIMEOUT_MS = 2000;
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path folder;

    @Test
    void shouldServeClientsWithACertificateAndNoOthersWhenEncrypted() throws Exception {
        final String keys = folder.resolve("keys.p12").toString();
        final Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "bridge",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "SAN=IP:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys,
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        System.setProperty("javax.net.ssl.keyStore", keys);
        System.setProperty("javax.net.ssl.keyStorePassword", PASSWORD);
        System.setProperty("javax.net.ssl.trustStore", keys);
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
        final RmiConfig rmi = new RmiConfig(
                0,
                "127.0.0.1",
                "",
                8,
                1024,
                16,
                IDLE_TIMEOUT_MS,
                List.of(),
                false,
                new TlsConfig(keys, PASSWORD, keys, PASSWORD));

        try (Harness harness = Harness.of(BridgeConfig.defaults().rmi(rmi))) {
            final PenstockBroker broker = (PenstockBroker)
                    LocateRegistry.getRegistry("127.0.0.1", harness.port(), new SslRMIClientSocketFactory())
                            .lookup(PenstockBroker.NAME);

            assertThat(broker.echo(new byte[70_000])).hasSize(70_000);
            assertThatThrownBy(harness::lookup).isInstanceOf(RemoteException.class);
            assertDeafIsClosed(harness, broker);
            assertThatThrownBy(() -> answerWithoutCertificate(keys, harness.port()))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
        } finally {
            System.clearProperty("javax.net.ssl.keyStore");
            System.clearProperty("javax.net.ssl.trustStore");
        }
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
    void shouldNameKeyFileAndRemedyWhenKeysCannotBeRead() {
        final RmiConfig rmi = RmiConfig.none().port(0).tls(new TlsConfig("/nowhere.p12", PASSWORD, "", ""));

        assertThatThrownBy(() -> Harness.of(BridgeConfig.defaults().rmi(rmi)))
                .hasMessageStartingWith("bridge.rmi.tls.keyStore: cannot be read: /nowhere.p12: ")
                .hasMessageEndingWith("(give a file made by keytool, and its password)");
    }
}
