package io.penstock.protocol.scram;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.scram.ScramClient.Binding;
import java.util.Base64;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations of SCRAM-SHA-256. The first is that of RFC 7677, section 3. */
class ScramTest {
    private static final String CLIENT_NONCE = "rOprNGfwEbeRWgbNEkqO";
    private static final String SERVER_NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    private static final byte[] SALT = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
    private static final String FIRST = "n,,n=user,r=" + CLIENT_NONCE;
    private static final String CHALLENGE = "r=" + CLIENT_NONCE + SERVER_NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
    private static final String ANSWER =
            "c=biws,r=" + CLIENT_NONCE + SERVER_NONCE + ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    private static final String LAST = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";
    private static final ScramVerifier PENCIL =
            Objects.requireNonNull(ScramVerifier.derive("pencil", SALT, ScramVerifier.ITERATIONS_MIN));

    @Test
    void shouldSayWhatTheStandardSays() {
        final ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE);
        final ScramServer server = new ScramServer(name -> PENCIL, SERVER_NONCE);

        assertThat(client.first()).asString(UTF_8).isEqualTo(FIRST);
        final byte[] challenge = known(server.first(client.first()));
        assertThat(challenge).asString(UTF_8).isEqualTo(CHALLENGE);
        final byte[] answer = known(client.answer(challenge));
        assertThat(answer).asString(UTF_8).isEqualTo(ANSWER);
        final byte[] last = known(server.last(answer));
        assertThat(last).asString(UTF_8).isEqualTo(LAST);
        assertThat(client.isProved(last)).isTrue();
        assertThat(server.user()).isEqualTo("user");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n",
                "n,",
                "n,,",
                "n,,n=user",
                "n,,n=user,r=",
                "n,,n=,r=abc",
                "n,,r=abc,n=user",
                "n,,m=ext,n=user,r=abc",
                "n,,n=us=er,r=abc",
                "n,,n=us=2cer,r=abc",
                "n,,n=user,r=a b",
                "n,,n=user,r=a\u00e9",
                "n,,n=us\u0000er,r=abc",
                "n,,n=us\ner,r=abc",
                "n,a=admin,n=user,r=abc",
                "x,,n=user,r=abc",
                "p=tls-server-end-point,,n=user,r=abc",
                "p=,,n=user,r=abc",
                "N,,n=user,r=abc"
            })
    void shouldRefuseWhenTheFirstMessageIsWrong(final String message) {
        final ScramServer server = new ScramServer(name -> PENCIL, SERVER_NONCE);

        assertThat(server.first(message.getBytes(UTF_8))).isNull();
        assertThat(server.wrong()).startsWith("first message: ");
        assertThat(server.last(ANSWER.getBytes(UTF_8))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "the nonce of the client alone|c=biws,r=" + CLIENT_NONCE,
                "another nonce|c=biws,r=" + CLIENT_NONCE + "x" + SERVER_NONCE,
                "the binding of y|c=eSws,r=" + CLIENT_NONCE + SERVER_NONCE,
                "the binding of a channel|c=cD10bHMsLA==,r=" + CLIENT_NONCE + SERVER_NONCE,
                "a binding that is not Base64|c=b!ws,r=" + CLIENT_NONCE + SERVER_NONCE,
                "a binding with bits left over|c=biwt,r=" + CLIENT_NONCE + SERVER_NONCE,
                "no binding|r=" + CLIENT_NONCE + SERVER_NONCE,
            })
    void shouldRefuseWhenTheSecondMessageIsWrong(final String what, final String withoutProof) {
        final ScramServer server = challenged();

        assertThat(server.last((withoutProof + ANSWER.substring(ANSWER.indexOf(",p="))).getBytes(UTF_8)))
                .as(what)
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",p=",
                ",p=AAAA",
                ",p=!",
                ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=,x=1",
                ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=,",
                ",x=1,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
                ",p=eHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
            })
    void shouldRefuseWhenTheProofIsWrong(final String proof) {
        final String withoutProof = ANSWER.substring(0, ANSWER.indexOf(",p="));

        assertThat(challenged().last((withoutProof + proof).getBytes(UTF_8))).isNull();
    }

    @Test
    void shouldRefuseWhenAMessageIsReplayed() {
        final ScramServer server = challenged();
        assertThat(server.last(ANSWER.getBytes(UTF_8))).isNotNull();
        assertThat(server.last(ANSWER.getBytes(UTF_8))).isNull();

        final ScramServer another = new ScramServer(name -> PENCIL, "another");
        assertThat(another.first(FIRST.getBytes(UTF_8))).isNotNull();
        assertThat(another.last(ANSWER.getBytes(UTF_8))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "r=other,s=AAAA,i=4096",
                "r=" + CLIENT_NONCE + ",s=AAAA,i=4096",
                "r=" + CLIENT_NONCE + "x,s=,i=4096",
                "r=" + CLIENT_NONCE + "x,s=!,i=4096",
                "r=" + CLIENT_NONCE + "x,s=AAAA",
                "r=" + CLIENT_NONCE + "x,s=AAAA,i=4095",
                "r=" + CLIENT_NONCE + "x,s=AAAA,i=-1",
                "r=" + CLIENT_NONCE + "x,s=AAAA,i=10000001",
                "r=" + CLIENT_NONCE + "x,s=AAAA,i=99999999999",
                "m=1,r=" + CLIENT_NONCE + "x,s=AAAA,i=4096",
                "e=unknown-user"
            })
    void shouldNotAnswerWhenTheChallengeIsWrong(final String challenge) {
        final ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE);

        assertThat(client.answer(challenge.getBytes(UTF_8))).isNull();
        assertThat(client.isProved(LAST.getBytes(UTF_8))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "v=", "v=AAAA", "e=other-error", "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G5="})
    void shouldNotTrustWhenTheServerDoesNotProveItself(final String last) {
        final ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE);
        assertThat(client.answer(CHALLENGE.getBytes(UTF_8))).isNotNull();

        assertThat(client.isProved(last.getBytes(UTF_8))).isFalse();
    }

    @Test
    void shouldEscapeNamesWithCommasAndEqualsSigns() {
        final ScramClient client = new ScramClient("a=b,c", "pencil", CLIENT_NONCE);
        final ScramServer server = new ScramServer(name -> PENCIL, SERVER_NONCE);

        final byte[] last = known(server.last(known(client.answer(known(server.first(client.first()))))));

        assertThat(client.first()).asString(UTF_8).startsWith("n,,n=a=3Db=2Cc,r=");
        assertThat(server.user()).isEqualTo("a=b,c");
        assertThat(client.isProved(last)).isTrue();
    }

    /** RFC 4013, section 3, and what NFKC does. */
    @ParameterizedTest
    @CsvSource({"I\u00adX,IX", "user,user", "USER,USER", "\u00aa,a", "\u2168,IX", "a\u00a0b,a b", "\ufb01,fi"})
    void shouldPrepareTexts(final String text, final String prepared) {
        assertThat(PreparedText.of(text)).isEqualTo(prepared);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0007", "a\nb", "\ue000", "\u200e", "a\ufffdb", "\ud800", "\ufdd0", "\u2028"})
    void shouldRefuseTextsThatNobodyCanEnter(final String text) {
        assertThat(PreparedText.of(text)).isNull();
        assertThatThrownBy(() -> new ScramClient("user", text, CLIENT_NONCE))
                .hasMessage("client.password: has control characters or others that are no text (give a password)");
    }

    @Test
    void shouldReadWhatItWritesOfAVerifier() {
        final String text = PENCIL.text();

        assertThat(ScramVerifier.parse(text)).isEqualTo(PENCIL);
        assertThat(PENCIL.matches("pencil")).isTrue();
        assertThat(PENCIL.matches("pencil ")).isFalse();
        assertThat(PENCIL.toString()).doesNotContain(Base64.getEncoder().encodeToString(SALT));
        for (int cut = 0; cut < text.length(); cut++) {
            assertThat(ScramVerifier.parse(text.substring(0, cut))).isNull();
        }
        assertThat(ScramVerifier.parse(text.replace("$4096:", "$4095:"))).isNull();
        assertThat(ScramVerifier.parse(text.replace("$4096:", "$10000001:"))).isNull();
    }

    /** Nothing but a refusal comes of bytes that are not of the right user, whatever they are. */
    @Test
    void shouldOnlyRefuseWhenMessagesAreMutilated() {
        final long seed = Long.getLong("penstock.scram.seed", 8020);
        final int count = Integer.getInteger("penstock.scram.count", 20_000);
        final Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            final byte[] first = mutilated(FIRST.getBytes(UTF_8), random);
            final ScramServer server = new ScramServer(name -> PENCIL, SERVER_NONCE);
            final byte[] challenge = server.first(first);
            final byte[] answer = mutilated(ANSWER.getBytes(UTF_8), random);
            final byte[] last = server.last(answer);
            assertThat(last)
                    .as("seed %d, case %d: %s / %s", seed, i, new String(first, UTF_8), new String(answer, UTF_8))
                    .isNull();
            assertThat(server.wrong()).isNotEmpty();
            assertThat(challenge == null || challenge.length > 0).isTrue();
        }
    }

    private static byte[] mutilated(final byte[] message, final Random random) {
        final byte[] changed = switch (random.nextInt(3)) {
            case 0 -> java.util.Arrays.copyOf(message, random.nextInt(message.length));
            case 1 -> java.util.Arrays.copyOf(message, message.length + 1 + random.nextInt(5_000));
            default -> message.clone();
        };
        if (changed.length > 0) {
            final int at = random.nextInt(changed.length);
            changed[at] ^= (byte) (1 + random.nextInt(255));
        }
        return changed;
    }

    private static byte[] known(final byte @Nullable [] message) {
        return Objects.requireNonNull(message);
    }

    private static ScramServer challenged() {
        final ScramServer server = new ScramServer(name -> PENCIL, SERVER_NONCE);
        assertThat(server.first(FIRST.getBytes(UTF_8))).isNotNull();
        return server;
    }

    @Test
    void shouldBindToTheCertificateThatBothSidesSee() {
        final byte[] certificate = "a hash of a certificate".getBytes(UTF_8);
        final ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE, Binding.SERVER_END_POINT);
        final ScramServer server = ScramServer.bound(name -> PENCIL, SERVER_NONCE, certificate);

        assertThat(client.first()).asString(UTF_8).startsWith("p=tls-server-end-point,,n=user,");
        final byte[] answer = known(client.answer(known(server.first(client.first())), certificate));
        assertThat(answer)
                .asString(UTF_8)
                .startsWith("c="
                        + Base64.getEncoder()
                                .encodeToString("p=tls-server-end-point,,a hash of a certificate".getBytes(UTF_8))
                        + ",r=");
        assertThat(client.isProved(known(server.last(answer)))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "another certificate", "a hash of a certificate.", "a hash of a certificat"})
    void shouldRefuseWhenTheClientSeesAnotherCertificate(final String other) {
        final ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE, Binding.SERVER_END_POINT);
        final ScramServer server =
                ScramServer.bound(name -> PENCIL, SERVER_NONCE, "a hash of a certificate".getBytes(UTF_8));
        final byte[] challenge = known(server.first(client.first()));

        assertThat(server.last(known(client.answer(challenge, other.getBytes(UTF_8)))))
                .isNull();
        assertThat(server.wrong()).contains("somebody decrypts between the client and the broker");
    }

    @Test
    void shouldRefuseAnAnswerWhoseBindingWasReplacedOnItsWay() {
        final byte[] certificate = "a hash of a certificate".getBytes(UTF_8);
        final ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE, Binding.SERVER_END_POINT);
        final ScramServer server = ScramServer.bound(name -> PENCIL, SERVER_NONCE, certificate);
        final byte[] challenge = known(server.first(client.first()));
        final String answer = new String(known(client.answer(challenge, "other".getBytes(UTF_8))), UTF_8);
        final String replaced = "c=" + ScramMessage.bound("p=tls-server-end-point,,", certificate)
                + answer.substring(answer.indexOf(",r="));

        assertThat(server.last(replaced.getBytes(UTF_8))).isNull();
        assertThat(server.wrong()).isEqualTo("wrong password");
    }

    @Test
    void shouldRefuseAClientThatWasToldOfNoBindingWhereThereIsOne() {
        final ScramClient told = new ScramClient("user", "pencil", CLIENT_NONCE, Binding.NOT_OFFERED);
        final ScramServer server = ScramServer.unbound(name -> PENCIL, SERVER_NONCE);

        assertThat(server.first(told.first())).isNull();
        assertThat(server.wrong()).contains("somebody between the two has taken that away");
        // As one that knows nothing of it, it was told nothing; y in place of n is found out by what the proof covers.
        final ScramServer changed = ScramServer.unbound(name -> PENCIL, SERVER_NONCE);
        final byte[] challenge =
                known(changed.first(("n" + new String(told.first(), UTF_8).substring(1)).getBytes(UTF_8)));
        assertThat(changed.last(known(told.answer(challenge)))).isNull();
        // A broker that offers none.
        final ScramServer old = new ScramServer(name -> PENCIL, SERVER_NONCE);
        assertThat(told.isProved(known(old.last(known(told.answer(known(old.first(told.first()))))))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n,,n=user,r=abc",
                "y,,n=user,r=abc",
                "p=tls-unique,,n=user,r=abc",
                "p=tls-exporter,,n=user,r=abc",
                "p=,,n=user,r=abc",
                "p=TLS-SERVER-END-POINT,,n=user,r=abc",
                "p=tls-server-end-point,a=eve,n=user,r=abc"
            })
    void shouldRefuseAnotherBindingThanTheOneThatIsOffered(final String first) {
        final ScramServer server = ScramServer.bound(name -> PENCIL, SERVER_NONCE, new byte[32]);

        assertThat(server.first(first.getBytes(UTF_8))).isNull();
        assertThat(server.wrong()).startsWith("first message: ");
    }
}
