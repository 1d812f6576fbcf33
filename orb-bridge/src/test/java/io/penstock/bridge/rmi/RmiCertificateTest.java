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
import io.penstock.orb.Publication;
import io.penstock.orb.pool.PoolConfig;
import io.penstock.orb.pool.PooledSocketFactory;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients with certificates of their own, and the names that bridge and broker know them by; and peers that are refused. */
@Timeout(60)
class RmiCertificateTest {
    private static final TestAuthority AUTHORITY = JdkKeys.AUTHORITY;
    private static final BridgeConfig ENCRYPTED =
            BridgeConfig.defaults().rmi(RmiConfig.none().port(0).tls(true));

    @TempDir
    Path folder;

    private CertificateFiles files;

    @BeforeEach
    void prepare() {
        files = new CertificateFiles(AUTHORITY, folder);
    }

    private static PoolConfig pool(final TlsConfig client) throws TlsException {
        return PoolConfig.defaults()
                .sockets(TlsContexts.forClient(client, true).context().getSocketFactory());
    }

    static Publication message() {
        return Publication.of("bytes", "text".getBytes(StandardCharsets.UTF_8));
    }

    private void assertServes(final Harness harness) throws IOException {
        try (PooledSocketFactory pool = new PooledSocketFactory(pool(files.as(AUTHORITY.issue("good"))))) {
            assertThat(pool.lookup("127.0.0.1", harness.port()).echo(new byte[10]))
                    .hasSize(10);
        } catch (final BrokerException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldKnowTheUserByItsCertificate() throws Exception {
        try (Harness harness = Harness.of(
                        ENCRYPTED,
                        CertificateFiles.users(folder.resolve("users"), CertificateFiles.USERS),
                        files.bridge("127.0.0.1"));
                PooledSocketFactory ofAnn = new PooledSocketFactory(pool(files.as(AUTHORITY.issue("ann"))));
                PooledSocketFactory ofCarl = new PooledSocketFactory(pool(files.as(AUTHORITY.issue("carl"))))) {
            final PenstockBroker guest = ofAnn.lookup("127.0.0.1", harness.port());
            assertThatThrownBy(() -> guest.publish(message(), false)).isInstanceOf(BrokerException.class);

            final PenstockBroker ann = ofAnn.share(guest.logon(new Credentials("", "", "")));
            ann.publish(message(), false);

            final PenstockBroker carl = ofCarl.lookup("127.0.0.1", harness.port());
            final PenstockBroker nobody = ofCarl.share(carl.logon(new Credentials("", "", "")));
            assertThatThrownBy(() -> nobody.publish(message(), false)).isInstanceOf(BrokerException.class);

            Files.writeString(folder.resolve("users"), CertificateFiles.USERS.replace("user ann", "user ann disabled"));
            assertThat(harness.broker().reloadUsers()).isTrue();
            assertThat(Harness.await(() -> isRefused(ann))).isTrue();
        }
    }

    private static boolean isRefused(final PenstockBroker session) {
        try {
            session.publish(message(), false);
            return false;
        } catch (final BrokerException e) {
            return true;
        } catch (final RemoteException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldRefuseBridgeWhenItsCertificateIsForAnotherHost() throws Exception {
        try (Harness harness = Harness.of(ENCRYPTED, SecurityConfig.defaults(), files.bridge("bridge.example"));
                PooledSocketFactory checked = new PooledSocketFactory(pool(files.as(AUTHORITY.issue("ann"))));
                PooledSocketFactory unchecked = new PooledSocketFactory(
                        pool(files.as(AUTHORITY.issue("ann"))).withoutHostCheck())) {
            assertThatThrownBy(() -> checked.lookup("127.0.0.1", harness.port()))
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("No subject alternative");
            assertThat(unchecked.lookup("127.0.0.1", harness.port()).echo(new byte[10]))
                    .hasSize(10);
        }
    }

    @Test
    void shouldRefuseClientWhenItsAuthorityIsUnknown() throws Exception {
        try (Harness harness = Harness.of(ENCRYPTED, SecurityConfig.defaults(), files.bridge("127.0.0.1"));
                PooledSocketFactory mallory =
                        new PooledSocketFactory(pool(files.as(new TestAuthority("authority").issue("ann"))))) {
            assertThatThrownBy(() -> mallory.lookup("127.0.0.1", harness.port()))
                    .isInstanceOf(IOException.class);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.TLS_FAILED) > 0))
                    .isTrue();
            assertServes(harness);
        }
    }

    @Test
    void shouldRefuseClientWhenItDoesNotSpeakTls() throws Exception {
        try (Harness harness = Harness.of(ENCRYPTED, SecurityConfig.defaults(), files.bridge("127.0.0.1"));
                Socket peer = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
            peer.setSoTimeout(20_000);
            peer.getOutputStream().write(new byte[] {'J', 'R', 'M', 'I', 0, 2, 0x4B});
            peer.getInputStream().readAllBytes();
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.TLS_FAILED) == 1))
                    .isTrue();
            assertServes(harness);
        }
    }

    @Test
    void shouldRefuseClientWhenItSpeaksTlsToAPlainPort() throws Exception {
        try (Harness harness = Harness.start();
                PooledSocketFactory pool = new PooledSocketFactory(pool(files.as(AUTHORITY.issue("ann"))))) {
            assertThatThrownBy(() -> pool.lookup("127.0.0.1", harness.port())).isInstanceOf(IOException.class);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.TLS_FAILED) > 0))
                    .isTrue();
            assertThat(harness.lookup().echo(new byte[10])).hasSize(10);
        }
    }

    @Test
    void shouldRefuseClientWhenItsHandshakeIsSlow() throws Exception {
        try (Harness harness = Harness.of(ENCRYPTED, SecurityConfig.defaults(), files.bridge("127.0.0.1"));
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), harness.port());
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
            slow.getOutputStream().write(new byte[] {22, 3, 1});
            silent.setSoTimeout(20_000);
            slow.setSoTimeout(20_000);
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            assertThat(slow.getInputStream().read()).isEqualTo(-1);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.TLS_FAILED) == 2))
                    .isTrue();
            assertServes(harness);
        }
    }

    @Test
    void shouldUseNewCertificatesAndKeepConnectionsWhenTheyAreReadAgain() throws Exception {
        try (Harness harness = Harness.of(ENCRYPTED, SecurityConfig.defaults(), files.bridge("127.0.0.1"));
                PooledSocketFactory before = new PooledSocketFactory(pool(files.as(AUTHORITY.issue("ann"))))) {
            final PenstockBroker broker = before.lookup("127.0.0.1", harness.port());
            final TestAuthority other = new TestAuthority("other");
            final TestCertificate renewed = other.issue("bridge", "127.0.0.1");
            renewed.writeCertificate(folder.resolve("bridge.pem"));
            renewed.writeKey(folder.resolve("bridge.key"));
            assertThat(harness.broker().reloadCertificates().isTaken()).isTrue();

            assertThat(broker.echo(new byte[10])).hasSize(10);
            assertThat(before.counters().openConnections()).isEqualTo(1);
            try (PooledSocketFactory old = new PooledSocketFactory(pool(files.as(AUTHORITY.issue("ann"))));
                    PooledSocketFactory next =
                            new PooledSocketFactory(pool(TlsConfig.defaults().trust(files.trust(other), "")))) {
                assertThatThrownBy(() -> old.lookup("127.0.0.1", harness.port()))
                        .isInstanceOf(IOException.class);
                assertThat(next.lookup("127.0.0.1", harness.port()).echo(new byte[10]))
                        .hasSize(10);
            }
        }
    }

    @Test
    void shouldRefuseAnAddressThatOthersReachUnlessClientsAreIdentified() throws Exception {
        final RmiConfig rmi = new RmiConfig(0, "0.0.0.0", "127.0.0.1", 8, 1024, 16, 4000, List.of(), false, true);
        assertThatThrownBy(() -> Harness.of(
                        BridgeConfig.defaults().rmi(rmi), SecurityConfig.defaults(), files.bridge("127.0.0.1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bridge.rmi.tls with tls.clientCertificates: required");
        try (Harness harness = Harness.of(
                BridgeConfig.defaults().rmi(rmi),
                SecurityConfig.defaults(),
                files.bridge("127.0.0.1").clientCertificates(ClientCertificates.REQUIRED))) {
            assertServes(harness);
        }
    }
}
