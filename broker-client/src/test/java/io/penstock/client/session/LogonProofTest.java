package io.penstock.client.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.protocol.scram.ChannelBinding;
import io.penstock.protocol.scram.ScramKeys;
import io.penstock.protocol.scram.ScramServer;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.test.tls.TestAuthority;
import io.penstock.transport.Connection;
import io.penstock.transport.PeerIdentity;
import java.lang.reflect.Proxy;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client says of itself to brokers that can be trusted, and what it keeps from others. */
class LogonProofTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final X509Certificate OWN =
            AUTHORITY.issue("broker", "127.0.0.1").chain().get(0);
    private static final X509Certificate FOREIGN =
            AUTHORITY.issue("broker", "127.0.0.1").chain().get(0);
    private static final ScramVerifier SECRET =
            Objects.requireNonNull(ScramVerifier.derive("secret", ScramVerifier.ITERATIONS_MIN));
    private static final LogonCredentials ANN = LogonCredentials.password("ann", "secret");

    private static Connection connection(
            final boolean isLocal, final boolean isPrivate, final @Nullable X509Certificate server) {
        return (Connection) Proxy.newProxyInstance(
                LogonProofTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isLocal" -> isLocal;
                    case "isPrivate" -> isPrivate;
                    case "peerIdentity" ->
                        new PeerIdentity(server != null, List.of(), PeerIdentity.UNKNOWN_USER, server);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static LogonProof encrypted(final LogonCredentials credentials, final X509Certificate seen) {
        return new LogonProof(credentials, connection(false, false, seen), true);
    }

    private static byte[] known(final byte @Nullable [] message) {
        return Objects.requireNonNull(message);
    }

    private static ScramServer bound() {
        return ScramServer.bound(user -> SECRET, ScramKeys.nonce(), known(ChannelBinding.of(OWN)));
    }

    @Test
    void shouldBindItsProofToTheCertificateWhenTheConnectionIsEncrypted() {
        final LogonProof proof = encrypted(ANN, OWN);
        final ScramServer server = bound();
        assertThat(proof.mechanism()).isEqualTo("SCRAM-SHA-256-PLUS");
        assertThat(proof.password()).isEmpty();
        final LogonProof.Answer answer =
                Objects.requireNonNull(proof.answer("", known(server.first(proof.first()))));

        assertThat(answer.mechanism()).isEmpty();
        assertThat(proof.isProved(known(server.last(answer.token())))).isTrue();
    }

    @Test
    void shouldNotBeLetInWhenSomebodyBetweenTheTwoHasAnotherCertificate() {
        final LogonProof proof = encrypted(ANN, FOREIGN);
        final ScramServer server = bound();
        final LogonProof.Answer answer =
                Objects.requireNonNull(proof.answer("", known(server.first(proof.first()))));

        assertThat(server.last(answer.token())).isNull();
        assertThat(server.wrong()).contains("somebody decrypts");
    }

    @Test
    void shouldSayThatNoBindingWasOfferedWhenTheOfferIsMissing() {
        final LogonProof proof = encrypted(ANN, OWN);
        final LogonProof.Answer answer = Objects.requireNonNull(proof.answer("SCRAM-SHA-256 PLAIN", new byte[0]));
        assertThat(answer.mechanism()).isEqualTo("SCRAM-SHA-256");
        assertThat(answer.token()).asString(UTF_8).startsWith("y,,n=ann,r=");

        // By the broker that could have: somebody has taken its offer away.
        assertThat(ScramServer.unbound(user -> SECRET, ScramKeys.nonce()).first(answer.token()))
                .isNull();
        // By one that could not.
        final ScramServer old = new ScramServer(user -> SECRET, ScramKeys.nonce());
        final LogonProof.Answer last =
                Objects.requireNonNull(proof.answer("", known(old.first(answer.token()))));
        assertThat(proof.isProved(known(old.last(last.token())))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "SCRAM-SHA-256, PLAIN",
        "SCRAM-SHA-256, SCRAM-SHA-256",
        "SCRAM-SHA-256, SCRAM-SHA-256-PLUS",
    })
    void shouldFallBackOnce(final String first, final String second) {
        final LogonProof proof = encrypted(ANN, OWN);
        assertThat(proof.answer(first, new byte[0])).isNotNull();

        assertThat(proof.answer(second, new byte[0])).isNull();
        assertThat(proof.wrong()).contains("cannot be trusted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCRAM-SHA-256-PLUS", "SCRAM-SHA-256-PLUS PLAIN", "SCRAM-SHA-256 SCRAM-SHA-256-PLUS PLAIN"})
    void shouldGiveUpWhenABrokerDoesNotTakeWhatItOffers(final String offered) {
        final LogonProof proof = encrypted(ANN, OWN);

        assertThat(proof.answer(offered, new byte[0])).isNull();
        assertThat(proof.wrong()).contains("cannot be trusted");
    }

    @Test
    void shouldNotBindWhenItIsToldNotTo() {
        final LogonProof proof =
                encrypted(new LogonCredentials(LogonMechanism.SCRAM_SHA_256_UNBOUND, "ann", "secret"), FOREIGN);
        final ScramServer server = ScramServer.unbound(user -> SECRET, ScramKeys.nonce());
        assertThat(proof.mechanism()).isEqualTo("SCRAM-SHA-256");
        final LogonProof.Answer answer =
                Objects.requireNonNull(proof.answer("", known(server.first(proof.first()))));

        assertThat(proof.isProved(known(server.last(answer.token())))).isTrue();
    }

    /** A process of another user may listen on loopback while the broker is down. */
    @ParameterizedTest
    @CsvSource({"false, false, false", "false, true, false", "true, false, true", "false, true, true"})
    void shouldGiveThePasswordOnlyWhereNobodyElseCanListen(
            final boolean isEncrypted, final boolean isLocal, final boolean isPrivate) {
        final LogonProof proof =
                new LogonProof(ANN, connection(isLocal, isPrivate, isEncrypted ? OWN : null), isEncrypted);
        final LogonProof.Answer answer = proof.answer("PLAIN OTHER", new byte[0]);

        if (isEncrypted || isPrivate) {
            assertThat(Objects.requireNonNull(answer).token()).asString(UTF_8).isEqualTo("\0ann\0secret");
        } else {
            assertThat(answer).isNull();
            assertThat(proof.wrong()).contains("others could read it, or listen in its place");
        }
    }

    @Test
    void shouldGiveThePasswordAnywhereWhenTheProgramSaysSo() {
        final LogonProof proof = new LogonProof(
                new LogonCredentials(LogonMechanism.PLAIN, "ann", "secret"), connection(false, false, null), false);

        assertThat(proof.password()).isEqualTo("secret");
    }

    @Test
    void shouldSendNoPasswordWithoutAUser() {
        assertThat(LogonCredentials.password("", "secret")).isEqualTo(LogonCredentials.NONE);
    }
}
