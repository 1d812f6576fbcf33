package io.penstock.transport.stream.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.Connection;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates and versions by which sides get no connection, and why; and those with which they get one. */
class TlsRefusalTest extends TlsScene {
    private static final TestAuthority STRANGER = new TestAuthority("stranger");

    private void assertClientRefuses(final TlsSide server, final TlsSide client, final String reason)
            throws IOException {
        client.transport.connect(listen(server));
        TlsSide.pollUntil(() -> !client.ends.isEmpty() && !server.refusals.isEmpty(), client, server);

        assertThat(client.ends).singleElement().asString().contains(reason);
        if (engine() == EngineChoice.NATIVE) {
            // The JDK does not say so of all reasons.
            assertThat(server.refusals).singleElement().asString().contains("certificate of this side");
        }
        assertThat(server.connections).isEmpty();
        assertThat(server.counters.handshakesFailed()).isEqualTo(1);
        assertThat(client.counters.handshakesFailed()).isEqualTo(1);
    }

    @Test
    void shouldTellWhoThePeerIsWhenItIsTrusted() throws IOException {
        final TlsSide server =
                server(own(CERTIFICATE).trust(trustOf(AUTHORITY), "").clientCertificates(ClientCertificates.REQUIRED));
        final TestCertificate ann = AUTHORITY.issue("ann");
        final TlsSide client = client(own(ann).trust(trustOf(AUTHORITY), ""));

        final Connection connection = exchange(client, server, listen(server));

        assertThat(connection.peerIdentity().isEncrypted()).isTrue();
        assertThat(connection.peerIdentity().certificates()).isEqualTo(CERTIFICATE.chain());
        assertThat(server.connections.get(0).peerIdentity().certificates()).isEqualTo(ann.chain());
        assertThat(server.counters.handshakes()).isEqualTo(1);
    }

    @Test
    void shouldRefuseServerWhenItsCertificateHasExpired() throws IOException {
        final Instant now = Instant.now();
        final TestCertificate old =
                AUTHORITY.issue("old", now.minus(Duration.ofDays(9)), now.minus(Duration.ofDays(1)), "127.0.0.1");
        assertClientRefuses(server(old, now.minus(Duration.ofDays(5))), client(trusting()), "has expired (renew it)");
    }

    @Test
    void shouldRefuseServerWhenItsCertificateIsNotValidYet() throws IOException {
        final Instant now = Instant.now();
        final TestCertificate early =
                AUTHORITY.issue("early", now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(9)), "127.0.0.1");
        assertClientRefuses(
                server(early, now.plus(Duration.ofDays(5))),
                client(trusting()),
                "is not valid yet (correct the clocks");
    }

    @Test
    void shouldRefuseServerWhenItsCertificateIsForAnotherHost() throws IOException {
        assertClientRefuses(
                server(own(AUTHORITY.issue("other", "broker.example"))), client(trusting()), "is for another host");
    }

    @Test
    void shouldTakeServerOfAnotherHostWhenTheHostIsNotChecked() throws IOException {
        final TlsSide server = server(own(AUTHORITY.issue("other", "broker.example")));
        final TlsSide client = side(TlsContexts.forClient(trusting(), false));

        exchange(client, server, listen(server));
    }

    @Test
    void shouldRefuseServerWhenItHasSignedItself() throws IOException {
        assertClientRefuses(
                server(own(TestAuthority.selfSigned("self", "127.0.0.1"))),
                client(trusting()),
                "signed by nobody who is trusted here");
    }

    @Test
    void shouldRefuseServerWhenItsAuthorityIsUnknown() throws IOException {
        assertClientRefuses(
                server(own(STRANGER.issue("server", "127.0.0.1"))),
                client(trusting()),
                "signed by nobody who is trusted here");
    }

    @Test
    void shouldRefuseServerWhenOnlyTheJdksAuthoritiesAreTrusted() throws IOException {
        assertClientRefuses(server(own(CERTIFICATE)), client(defaults()), "signed by nobody who is trusted here");
    }

    @Test
    void shouldRefuseClientWhenItHasNoCertificateAndOneIsRequired() throws IOException {
        assertServerRefuses(trusting(), "one is required", "wants a certificate of this side");
    }

    @Test
    void shouldRefuseClientWhenItsAuthorityIsUnknown() throws IOException {
        assertServerRefuses(
                own(STRANGER.issue("mallory")).trust(trustOf(AUTHORITY), ""),
                "the peer has no certificate, and one is required",
                "wants a certificate of this side");
    }

    /** The JDK does not even send a certificate of an authority with another name. */
    @Test
    void shouldRefuseClientWhenItsAuthorityOnlyHasTheNameOfATrustedOne() throws IOException {
        assertServerRefuses(
                own(new TestAuthority("authority").issue("mallory")).trust(trustOf(AUTHORITY), ""),
                "signed by nobody who is trusted here",
                "the peer");
    }

    @Test
    void shouldRefuseClientWhenItsCertificateHasExpired() throws IOException {
        final Instant now = Instant.now();
        final TestCertificate old = AUTHORITY.issue("old", now.minus(Duration.ofDays(9)), now.minusSeconds(60));
        final TlsSide client = side(TlsContexts.forServer(
                own(old).trust(trustOf(AUTHORITY), ""), InstantSource.fixed(now.minus(Duration.ofDays(5)))));
        assertServerRefuses(client, "has expired", "the certificate of this side");
    }

    private void assertServerRefuses(final TlsConfig client, final String reason, final String toClient)
            throws IOException {
        assertServerRefuses(client(client), reason, toClient);
    }

    /** Beside a client that is served. */
    private void assertServerRefuses(final TlsSide bad, final String reason, final String toClient) throws IOException {
        final TlsSide server =
                server(own(CERTIFICATE).trust(trustOf(AUTHORITY), "").clientCertificates(ClientCertificates.REQUIRED));
        final URI endpoint = listen(server);
        final TlsSide good = client(own(AUTHORITY.issue("good")).trust(trustOf(AUTHORITY), ""));
        final Connection served = exchange(good, server, endpoint);

        bad.transport.connect(endpoint);
        TlsSide.pollUntil(() -> !server.refusals.isEmpty() && !bad.ends.isEmpty(), server, bad, good);

        assertThat(server.refusals).singleElement().asString().contains(reason);
        assertThat(bad.ends).singleElement().asString().contains(toClient);
        assertThat(server.connections).hasSize(1);
        assertThat(server.counters.handshakesFailed()).isEqualTo(1);
        exchange(good, server, served);
    }

    @Test
    void shouldTakeClientWithoutCertificateWhenItIsOptional() throws IOException {
        final TlsSide server =
                server(own(CERTIFICATE).trust(trustOf(AUTHORITY), "").clientCertificates(ClientCertificates.OPTIONAL));

        exchange(client(trusting()), server, listen(server));

        assertThat(server.connections.get(0).peerIdentity().certificates()).isEmpty();
        assertThat(server.connections.get(0).peerIdentity().isEncrypted()).isTrue();
    }

    @Test
    void shouldRefuseClientWhenItSpeaksAnOlderVersion() throws IOException {
        final TlsSide server = server(own(CERTIFICATE));
        final TlsSide client = client(trusting().protocols(List.of("TLSv1.2"), List.of()));
        final URI endpoint = listen(server);

        client.transport.connect(endpoint);
        TlsSide.pollUntil(() -> !server.refusals.isEmpty() && !client.ends.isEmpty(), server, client);

        assertThat(server.refusals).singleElement().asString().contains("no version of TLS in common");
        assertThat(client.ends).singleElement().asString().contains("no version of TLS in common");
    }

    @Test
    void shouldSpeakAnOlderVersionWhenBothAreAllowedTo() throws IOException {
        final List<String> both = List.of("TLSv1.3", "TLSv1.2");
        final TlsSide server = server(own(CERTIFICATE).protocols(both, List.of()));
        final TlsSide client = client(trusting().protocols(List.of("TLSv1.2"), List.of()));

        exchange(client, server, listen(server));
    }

    /** More than any JDK allows: 8 of a client, 10 of a server, or 10 of both. */
    @Test
    void shouldRefuseEitherSideWhenItSendsTooManyCertificates() throws IOException {
        final TestCertificate ann = AUTHORITY.issue("ann");
        assertServerRefuses(
                own(longer(ann, 10)).trust(trustOf(AUTHORITY), ""), "more certificates than are allowed", "the peer");
        closeAll();
        sides.clear();
        assertClientRefuses(
                server(own(longer(CERTIFICATE, 10))), client(trusting()), "more certificates than are allowed");
    }

    /** Shorter than the limit in number, and longer than a message of a handshake may be. */
    @Test
    void shouldRefuseClientWhenItsCertificatesAreTooLong() throws IOException {
        final String[] names = new String[1200];
        for (int i = 0; i < names.length; i++) {
            names[i] = "a-name-that-is-not-short-" + i + ".example";
        }
        assertServerRefuses(own(AUTHORITY.issue("ann", names)).trust(trustOf(AUTHORITY), ""), "(", "the peer");
    }

    @Test
    void shouldKeepConnectionsAndUseNewCertificatesWhenTheyAreReadAgain() throws IOException {
        final Path certificateFile = folder.resolve("renewed.pem");
        final Path keyFile = folder.resolve("renewed.key");
        final TestCertificate first = AUTHORITY.issue("first", "127.0.0.1");
        final TlsContexts contexts = TlsContexts.forServer(
                defaults().certificate(first.writeCertificate(certificateFile), first.writeKey(keyFile)),
                InstantSource.system());
        final TlsSide server = side(contexts);
        final TlsSide client = client(trusting());
        final URI endpoint = listen(server);
        final Connection old = exchange(client, server, endpoint);
        assertThat(contexts.reload().isTaken()).isFalse();

        final TestCertificate second = AUTHORITY.issue("second", "127.0.0.1");
        second.writeKey(keyFile);
        assertThat(contexts.reload().isRefused()).isTrue();
        assertThat(contexts.reload().text()).contains("does not belong to the first certificate of");
        final Connection between = exchange(client, server, endpoint);
        second.writeCertificate(certificateFile);
        assertThat(contexts.reload().isTaken()).isTrue();

        final Connection next = exchange(client, server, endpoint);
        assertThat(old.peerIdentity().certificates()).isEqualTo(first.chain());
        assertThat(between.peerIdentity().certificates()).isEqualTo(first.chain());
        assertThat(next.peerIdentity().certificates()).isEqualTo(second.chain());
        exchange(client, server, old);
    }

    /** What conversations are bound to: also when a session of TLS is taken up again. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void shouldKnowTheServersCertificateOnBothSides(final String protocol) throws IOException {
        final TestCertificate own = AUTHORITY.issue("first", "127.0.0.1");
        final TlsSide server = server(defaults()
                .certificate(
                        own.writeCertificate(folder.resolve("bound.pem")), own.writeKey(folder.resolve("bound.key")))
                .protocols(List.of(protocol), List.of()));
        final TlsSide client = client(trusting().protocols(List.of(protocol), List.of()));
        final URI endpoint = listen(server);
        for (int i = 0; i < 3; i++) {
            final Connection connection = exchange(client, server, endpoint);
            assertThat(connection.peerIdentity().server()).isEqualTo(own.chain().get(0));
            assertThat(connection.isPrivate()).isFalse();
            assertThat(server.connections.get(i).peerIdentity().server())
                    .isEqualTo(own.chain().get(0));
            assertThat(server.connections.get(i).peerIdentity().certificates()).isEmpty();
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenServerHasNoCertificate() {
        assertThatThrownBy(() -> TlsContexts.forServer(defaults(), InstantSource.system()))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("tls.certificate: is empty");
    }
}
