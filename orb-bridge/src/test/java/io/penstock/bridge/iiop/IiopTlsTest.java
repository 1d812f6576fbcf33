package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.CertificateFiles;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.IiopTls;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.broker.SecurityConfig;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CORBA clients that speak TLS, those that do not, and peers that are refused. */
@Timeout(60)
class IiopTlsTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final String GUEST = "PenstockBroker";

    @TempDir
    Path folder;

    private CertificateFiles files;

    @BeforeEach
    void prepare() {
        files = new CertificateFiles(AUTHORITY, folder);
    }

    EngineChoice engine() {
        return EngineChoice.JDK;
    }

    private TlsConfig bridge() {
        return files.bridge("127.0.0.1").engine(engine());
    }

    private static BridgeConfig config(final IiopTls tls) {
        return BridgeConfig.defaults().iiop(IiopConfig.none().port(0).tls(tls));
    }

    private Harness harness(final IiopTls tls) {
        return Harness.of(config(tls), SecurityConfig.defaults(), bridge());
    }

    private static SSLSocket connect(final Harness harness, final TlsConfig client) throws IOException {
        final TlsContexts contexts = TlsContexts.forClient(client, true);
        final SSLSocket socket = (SSLSocket) contexts.context()
                .getSocketFactory()
                .createSocket("127.0.0.1", harness.bridge().iiopPort());
        socket.setSSLParameters(contexts.clientParameters());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void assertEchoes(final GiopPeer peer, final int length) throws Exception {
        assertThat(new IiopBroker(peer, GUEST).echo(new byte[length])).hasSize(length);
    }

    private void assertServes(final Harness harness) throws Exception {
        try (GiopPeer peer = GiopPeer.over(connect(harness, files.as(AUTHORITY.issue("good"))))) {
            assertEchoes(peer, 10);
        }
    }

    private static void awaitFailures(final Harness harness, final int count) {
        assertThat(Harness.await(() -> harness.counter(BridgeCounter.TLS_FAILED) == count))
                .isTrue();
    }

    @Test
    void shouldSpeakTlsAndSayInItsReferenceWhere() throws Exception {
        try (Harness harness = harness(IiopTls.REQUIRED);
                SSLSocket socket = connect(harness, files.as(AUTHORITY.issue("ann")));
                GiopPeer peer = GiopPeer.over(socket)) {
            final Ior reference = Ior.parse(harness.bridge().ior());
            assertThat(reference.port()).isZero();
            assertThat(reference.secure())
                    .isEqualTo(Ior.Secure.of(harness.bridge().iiopPort(), true, false));
            assertEchoes(peer, 10_000_000);
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
            assertThat(harness.counter(BridgeCounter.TLS_FAILED)).isZero();
        }
    }

    @Test
    void shouldKnowTheUserByItsCertificate() throws Exception {
        try (Harness harness = Harness.of(
                        config(IiopTls.REQUIRED),
                        CertificateFiles.users(folder.resolve("users"), CertificateFiles.USERS),
                        bridge());
                GiopPeer ofAnn = GiopPeer.over(connect(harness, files.as(AUTHORITY.issue("ann"))));
                GiopPeer ofCarl = GiopPeer.over(connect(harness, files.as(AUTHORITY.issue("carl"))))) {
            final Publication message = Publication.of("bytes", "text".getBytes(StandardCharsets.UTF_8));
            final PenstockBroker guest = new IiopBroker(ofAnn, GUEST);
            assertThatThrownBy(() -> guest.publish(message, false)).isInstanceOf(BrokerException.class);
            guest.logon(new Credentials("", "", "")).publish(message, false);
            final PenstockBroker nobody = new IiopBroker(ofCarl, GUEST).logon(new Credentials("", "", ""));
            assertThatThrownBy(() -> nobody.publish(message, false)).isInstanceOf(BrokerException.class);
        }
    }

    @Test
    void shouldServeBothOnOnePortWhenTlsIsOptional() throws Exception {
        try (Harness harness = harness(IiopTls.OPTIONAL);
                GiopPeer plain = GiopPeer.to(Ior.parse(harness.bridge().ior()))) {
            assertThat(Ior.parse(harness.bridge().ior()).secure())
                    .isEqualTo(Ior.Secure.of(harness.bridge().iiopPort(), false, false));
            assertEchoes(plain, 10);
            assertServes(harness);
            assertEchoes(plain, 10);
        }
    }

    @Test
    void shouldRefuseClientWhenItDoesNotSpeakTls() throws Exception {
        try (Harness harness = harness(IiopTls.REQUIRED);
                Socket plain = new Socket(
                        InetAddress.getLoopbackAddress(), harness.bridge().iiopPort())) {
            plain.setSoTimeout(20_000);
            plain.getOutputStream().write(new byte[] {'G', 'I', 'O', 'P', 1, 2, 0, 0, 0, 0, 0, 0});
            assertThat(plain.getInputStream().readAllBytes())
                    .isEqualTo(new byte[] {'G', 'I', 'O', 'P', 1, 0, 0, 6, 0, 0, 0, 0});
            awaitFailures(harness, 1);
            assertServes(harness);
        }
    }

    @Test
    void shouldRefuseClientWhenItSpeaksTlsToAPlainPort() throws Exception {
        try (Harness harness = harness(IiopTls.NONE);
                SSLSocket socket = connect(harness, files.as(AUTHORITY.issue("ann")));
                GiopPeer served = GiopPeer.to(Ior.parse(harness.bridge().ior()))) {
            assertThat(Ior.parse(harness.bridge().ior()).secure()).isNull();
            assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
            awaitFailures(harness, 1);
            assertEchoes(served, 10);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void shouldRefuseClientWhenItsHandshakeIsSlow(final int length) throws Exception {
        try (Harness harness = harness(IiopTls.REQUIRED);
                Socket slow = new Socket(
                        InetAddress.getLoopbackAddress(), harness.bridge().iiopPort())) {
            slow.setSoTimeout(20_000);
            slow.getOutputStream().write(new byte[] {22, 3, 1}, 0, length);
            assertThat(slow.getInputStream().read()).isEqualTo(-1);
            awaitFailures(harness, 1);
            assertServes(harness);
        }
    }

    @Test
    void shouldRefuseClientWhenItsHelloIsGarbage() throws Exception {
        try (Harness harness = harness(IiopTls.OPTIONAL);
                Socket peer = new Socket(
                        InetAddress.getLoopbackAddress(), harness.bridge().iiopPort())) {
            peer.setSoTimeout(20_000);
            peer.getOutputStream().write(new byte[] {22, 3, 1, 0, 4, 1, 0, 0, 0});
            peer.getInputStream().readAllBytes();
            awaitFailures(harness, 1);
            assertServes(harness);
        }
    }

    @Test
    void shouldRefuseClientWhenItsAuthorityIsUnknown() throws Exception {
        try (Harness harness = harness(IiopTls.REQUIRED);
                SSLSocket mallory = connect(harness, files.as(new TestAuthority("authority").issue("ann")))) {
            assertThatThrownBy(() -> {
                        mallory.startHandshake();
                        mallory.getInputStream().read();
                    })
                    .isInstanceOf(IOException.class);
            awaitFailures(harness, 1);
            assertServes(harness);
        }
    }

    /** With a good-bye and without a close, and the other way round. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCloseConnectionWhenThePeerClosesItsDirection(final boolean isPolite) throws Exception {
        try (Harness harness = harness(IiopTls.REQUIRED);
                Socket raw = new Socket(
                        InetAddress.getLoopbackAddress(), harness.bridge().iiopPort());
                SSLSocket peer = (SSLSocket) TlsContexts.forClient(files.as(AUTHORITY.issue("ann")), true)
                        .context()
                        .getSocketFactory()
                        .createSocket(raw, "127.0.0.1", raw.getPort(), true)) {
            raw.setSoTimeout(20_000);
            peer.startHandshake();
            if (isPolite) {
                peer.shutdownOutput();
            } else {
                raw.shutdownOutput();
            }
            raw.getInputStream().readAllBytes();
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .isTrue();
            assertServes(harness);
        }
    }

    /** Each update of keys costs the bridge an answer. */
    @Test
    void shouldEndConnectionWhenAPeerFloodsUpdatesOfKeys() throws Exception {
        try (Harness harness = harness(IiopTls.REQUIRED);
                SSLSocket peer = connect(harness, files.as(AUTHORITY.issue("ann")))) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 10_000_000; i++) {
                            peer.startHandshake();
                        }
                    })
                    .isInstanceOf(IOException.class);
            awaitFailures(harness, 1);
            assertServes(harness);
        }
    }

    @Test
    void shouldUseNewCertificatesAndKeepConnectionsWhenTheyAreReadAgain() throws Exception {
        try (Harness harness = harness(IiopTls.REQUIRED);
                GiopPeer before = GiopPeer.over(connect(harness, files.as(AUTHORITY.issue("ann"))))) {
            assertEchoes(before, 10);
            final TestAuthority other = new TestAuthority("other");
            final TestCertificate renewed = other.issue("bridge", "127.0.0.1");
            renewed.writeCertificate(folder.resolve("bridge.pem"));
            renewed.writeKey(folder.resolve("bridge.key"));
            assertThat(harness.broker().reloadCertificates().isTaken()).isTrue();

            try (SSLSocket old = connect(harness, files.as(AUTHORITY.issue("ann")));
                    GiopPeer next =
                            GiopPeer.over(connect(harness, TlsConfig.defaults().trust(files.trust(other), "")))) {
                assertThatThrownBy(old::startHandshake).isInstanceOf(IOException.class);
                assertEchoes(next, 10);
            }
            assertEchoes(before, 10);
        }
    }

    @Test
    void shouldRefuseToStartWithoutACertificateAndWhereOthersReachIt() throws Exception {
        assertThatThrownBy(() -> Harness.of(config(IiopTls.OPTIONAL)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bridge.iiop.tls: is optional, but there is no certificate"
                        + " (give tls.certificate and tls.key)");
        final IiopSetup setup = new IiopSetup();
        setup.address = "0.0.0.0";
        setup.host = "127.0.0.1";
        setup.tls = IiopTls.REQUIRED;
        assertThatThrownBy(() -> Harness.of(setup.config(), SecurityConfig.defaults(), bridge()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bridge.iiop.tls: required with tls.clientCertificates: required");
        try (Harness harness = Harness.of(
                setup.config(), SecurityConfig.defaults(), bridge().clientCertificates(ClientCertificates.REQUIRED))) {
            assertServes(harness);
        }
    }
}
