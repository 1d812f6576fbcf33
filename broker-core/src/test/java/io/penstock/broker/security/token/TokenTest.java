package io.penstock.broker.security.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.Principal;
import io.penstock.transport.PeerIdentity;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.concurrent.CachedEpochClock;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that count and those that do not. */
class TokenTest {
    private static final long NOW_S = 1_800_000_000;
    private static final String CLAIMS =
            "{\"iss\":\"https://id\",\"aud\":\"penstock\",\"sub\":\"ann\",\"exp\":" + (NOW_S + 300) + "}";

    private static KeyPair rsa;
    private static KeyPair ec;
    private static KeyPair ed;
    private static KeyPair foreign;

    @TempDir
    private Path directory;

    private final CachedEpochClock clock = new CachedEpochClock();
    private final CachedNanoClock nanos = new CachedNanoClock();
    private final List<Throwable> errors = new ArrayList<>();
    private Path keys;

    @BeforeAll
    static void generate() throws GeneralSecurityException {
        final KeyPairGenerator rsaKeys = KeyPairGenerator.getInstance("RSA");
        rsaKeys.initialize(2048);
        rsa = rsaKeys.generateKeyPair();
        foreign = rsaKeys.generateKeyPair();
        final KeyPairGenerator ecKeys = KeyPairGenerator.getInstance("EC");
        ecKeys.initialize(new ECGenParameterSpec("secp256r1"));
        ec = ecKeys.generateKeyPair();
        ed = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    }

    @BeforeEach
    void write() throws IOException {
        clock.update(NOW_S * 1000);
        nanos.update(TimeUnit.HOURS.toNanos(5));
        keys = directory.resolve("keys.json");
        writeKeys(rsa("r", rsa), ecKey(), edKey());
    }

    @Test
    void shouldAdmitTheUserOfATokenThatWasSigned() throws Exception {
        final TokenMechanism tokens = tokens();
        for (final String token : List.of(
                signed("{\"alg\":\"RS256\",\"kid\":\"r\"}", CLAIMS, "SHA256withRSA", rsa),
                signed("{\"alg\":\"ES256\",\"kid\":\"e\"}", CLAIMS, "SHA256withECDSAinP1363Format", ec),
                signed("{\"alg\":\"EdDSA\",\"kid\":\"d\",\"typ\":\"JWT\"}", CLAIMS, "Ed25519", ed),
                signed("{\"alg\":\"RS256\"}", CLAIMS, "SHA256withRSA", rsa))) {
            final Admitted admitted = (Admitted) ask(tokens, token);

            assertThat(admitted.principal()).isEqualTo(new Principal("ann"));
            assertThat(admitted.validForNs()).isEqualTo(TimeUnit.SECONDS.toNanos(300 + 60));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"roles\":[\"a\",\"b\"]|a,b",
                "\"roles\":\"a  b\"|a,b",
                "\"roles\":\" \"|''",
                "\"roles\":null|''",
                "\"x\":{\"y\":[1,2.5e3,true,false,null,\"\\u00e9\\n\"]}|''"
            })
    void shouldTakeRolesFromTheirClaim(final String more, final String roles) throws Exception {
        final Admitted admitted = (Admitted) ask(tokens(), good(CLAIMS.replace("{", "{" + more + ",")));

        assertThat(admitted.principal().roles()).isEqualTo(roles.isEmpty() ? Set.of() : Set.of(roles.split(",", -1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"exp\":1800000300|\"exp\":1799999940|expired 60 s ago",
                "\"exp\":1800000300|\"exp\":1|expired",
                "\"exp\":1800000300|\"x\":1|never expires",
                "\"exp\":1800000300|\"exp\":\"1800000300\"|exp is no time",
                "\"exp\":1800000300|\"exp\":-5|exp is no time",
                "\"exp\":1800000300|\"exp\":1e200|exp is no time",
                "\"exp\":1800000300|\"exp\":1800000300,\"nbf\":1800000061|not valid for another 61 s",
                "\"exp\":1800000300|\"exp\":1800000300,\"exp\":1900000000|a name twice",
                "https://id|https://id/|another issuer",
                "\"penstock\"|\"other\"|another audience",
                "\"penstock\"|[\"other\",\"penstock2\"]|another audience",
                "\"penstock\"|null|another audience",
                "\"ann\"|7|no user: sub",
                "\"ann\"|\"\"|not a name",
                "\"ann\"|\"a b\"|not a name",
                "\"ann\"|\"a\\nb\"|not a name",
                "\"ann\"|\"anonymous\"|clients without a user are called so",
                "\"sub\":\"ann\"|\"sub\":\"ann\",\"roles\":[1]|a role that is no text",
                "\"sub\":\"ann\"|\"sub\":\"ann\",|no name",
                "\"sub\":\"ann\"|\"sub\":\"ann\",\"x\":[[[[[[[[[[1]]]]]]]]]]|deeper than",
                "\"sub\":\"ann\"|\"sub\":\"ann\",\"x\":01|",
            })
    void shouldRefuseWhenAClaimIsWrong(final String from, final String to, final String reason) throws Exception {
        assertThat(CLAIMS).contains(from);

        assertRefused(tokens(), good(CLAIMS.replace(from, to)), reason == null ? "JSON: " : reason);
    }

    @Test
    void shouldAllowClocksToDifferABit() throws Exception {
        assertThat(ask(tokens(), good(CLAIMS.replace("1800000300", "1799999941"))))
                .isInstanceOf(Admitted.class);
        assertThat(ask(tokens(), good(CLAIMS.replace("{", "{\"nbf\":1800000060,"))))
                .isInstanceOf(Admitted.class);
        assertThat(ask(tokens(), good(CLAIMS.replace("\"penstock\"", "[\"x\",\"penstock\"]"))))
                .isInstanceOf(Admitted.class);
    }

    @Test
    void shouldRefuseAlgorithmsThatProveNothing() throws Exception {
        final TokenMechanism tokens = tokens();
        final String body = base64(CLAIMS.getBytes(UTF_8));
        for (final String none : List.of("none", "None", "NONE", "HS256", "RS512", "PS256", "")) {
            final String header = base64(("{\"alg\":\"" + none + "\",\"kid\":\"r\"}").getBytes(UTF_8));
            assertRefused(tokens, header + "." + body + ".", "algorithm is not");
        }
        // Signed with the public key as if it were a secret.
        final String header = base64("{\"alg\":\"HS256\",\"kid\":\"r\"}".getBytes(UTF_8));
        final Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(rsa.getPublic().getEncoded(), "HmacSHA256"));
        final String hmac = base64(mac.doFinal((header + "." + body).getBytes(UTF_8)));
        assertRefused(tokens, header + "." + body + "." + hmac, "algorithm is not");
        // A key is of one algorithm.
        assertRefused(tokens, signed("{\"alg\":\"ES256\",\"kid\":\"r\"}", CLAIMS, "SHA256withRSA", rsa), "no such key");
        assertRefused(
                tokens,
                signed("{\"alg\":\"RS256\",\"kid\":\"r\",\"crit\":[\"x\"]}", CLAIMS, "SHA256withRSA", rsa),
                "demands extensions");
        assertRefused(
                tokens,
                signed("{\"alg\":\"RS256\",\"kid\":\"r\",\"b64\":false}", CLAIMS, "SHA256withRSA", rsa),
                "demands extensions");
        for (final String id : List.of("[\"r\"]", "1", "null")) {
            assertRefused(
                    tokens,
                    signed("{\"alg\":\"RS256\",\"kid\":" + id + "}", CLAIMS, "SHA256withRSA", rsa),
                    "name of its key");
        }
    }

    @Test
    void shouldRefuseATokenThatIsWrittenInAnotherWay() throws Exception {
        final TokenMechanism tokens = tokens();
        final String good = good(CLAIMS);
        assertThat(ask(tokens, good)).isInstanceOf(Admitted.class);
        // 256 bytes end with a character of which four bits are not used.
        final char last = good.charAt(good.length() - 1);
        final String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        final String other = good.substring(0, good.length() - 1) + digits.charAt(digits.indexOf(last) + 1);
        assertRefused(tokens, other, "bits that are not used");
    }

    @Test
    void shouldRefuseRolesThatAreNeitherAListNorAText() throws Exception {
        final TokenMechanism tokens = tokens();
        for (final String roles : List.of("{\"a\":\"b\"}", "1", "true")) {
            final String claims = CLAIMS.substring(0, CLAIMS.length() - 1) + ",\"roles\":" + roles + "}";
            assertRefused(tokens, good(claims), "roles that are neither");
        }
    }

    @Test
    void shouldRefuseSignaturesOfOthers() throws Exception {
        final TokenMechanism tokens = tokens();
        final String good = good(CLAIMS);
        assertRefused(
                tokens,
                signed("{\"alg\":\"RS256\",\"kid\":\"r\"}", CLAIMS, "SHA256withRSA", foreign),
                "wrong signature");
        final String other = base64(CLAIMS.replace("ann", "eve").getBytes(UTF_8));
        final String[] parts = good.split("\\.", -1);
        assertRefused(tokens, parts[0] + "." + other + "." + parts[2], "wrong signature");
        assertRefused(tokens, parts[0] + "." + parts[1] + ".", "wrong signature");
        assertRefused(tokens, parts[0] + "." + parts[1] + "." + parts[2] + "=", "padding");
        assertRefused(tokens, good + ".x", "not three parts");
        // All zeros once passed for a signature of any text.
        final String header = base64("{\"alg\":\"ES256\",\"kid\":\"e\"}".getBytes(UTF_8));
        assertRefused(tokens, header + "." + parts[1] + "." + base64(new byte[64]), "wrong signature");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n,,",
                "n,,\u0001auth=Bearer x",
                "n,,\u0001auth=Basic x\u0001\u0001",
                "n,a=eve,\u0001auth=Bearer x\u0001\u0001",
                "n,,\u0001auth=Bearer x\u0001host=y\u0001\u0001"
            })
    void shouldRefuseWhatIsNoMessage(final String message) {
        final AuthenticationStep step = tokens().begin(logon("")).respond(message.getBytes(UTF_8));

        assertThat(step).isEqualTo(new Refused("token: not a message with a bearer token"));
    }

    @Test
    void shouldReadKeysAgainWhenOneIsNewButNotForEveryToken() throws Exception {
        final TokenMechanism tokens = tokens();
        final String rotated = signed("{\"alg\":\"RS256\",\"kid\":\"next\"}", CLAIMS, "SHA256withRSA", foreign);
        assertRefused(tokens, rotated, "no such key");
        writeKeys(rsa("next", foreign));
        assertRefused(tokens, rotated, "no such key");

        nanos.advance(TimeUnit.SECONDS.toNanos(31));
        assertThat(ask(tokens, rotated)).isInstanceOf(Admitted.class);
        assertRefused(tokens, good(CLAIMS), "no such key");

        Files.writeString(keys, "{}");
        nanos.advance(TimeUnit.HOURS.toNanos(2));
        assertThat(ask(tokens, rotated)).isInstanceOf(Admitted.class);
        assertThat(errors).singleElement().asString().contains("not a JWK set");
    }

    @Test
    void shouldSayThatTheIssuerCannotBeReached() throws Exception {
        final String nowhere = "https://127.0.0.1:1/keys";
        assertRefused(tokens(nowhere), good(CLAIMS), "no such key");

        assertThat(errors)
                .singleElement()
                .asString()
                .contains("security.tokens.keys: " + nowhere + ": ")
                .contains("connect")
                .doesNotContain("null");
    }

    @Test
    void shouldSayWhatIsWrongWithATokenThatIsNone() throws Exception {
        assertRefused(tokens(), "abc.def.ghi", "a part of it is not JSON in Base64url");
    }

    @Test
    void shouldSayWhatIsWrongWithKeysAtTheStart() throws Exception {
        for (final Map.Entry<String, String> wrong : Map.of(
                        "[]", "JSON: no object",
                        "{\"keys\":[]}", "no key for RS256",
                        "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}", "no key for RS256",
                        "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}", "an RSA key of 17 bits",
                        "{\"keys\":[{\"kty\":\"RSA\",\"e\":\"AQAB\"}]}", "a key without n",
                        "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AQAB\",\"y\":\"AQAB\"}]}", "3 bytes")
                .entrySet()) {
            Files.writeString(keys, wrong.getKey());
            assertThatThrownBy(this::tokens)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("security.tokens.keys: " + keys + ": ")
                    .hasMessageContaining(wrong.getValue());
        }
        Files.delete(keys);
        assertThatThrownBy(this::tokens).hasMessageContaining("no such file or directory");
    }

    @Test
    void shouldTakeTokensOnlyWhereNobodyElseReadsThem() {
        assertThat(tokens().isOffered(logon(""))).isTrue();
        assertThat(tokens().isOffered(new Logon("", "", "", "tcp://192.0.2.1:1", false, PeerIdentity.UNKNOWN)))
                .isFalse();
    }

    @Test
    void shouldRefuseWhenTheLogonNamesAnotherUser() throws Exception {
        final byte[] message = message(good(CLAIMS));

        assertThat(tokens().begin(logon("ann")).respond(message)).isInstanceOf(Admitted.class);
        assertThat(tokens().begin(logon("eve")).respond(message)).isInstanceOf(Refused.class);
    }

    /** Whatever comes of bytes that were changed, it is never an admission of another, and no exception. */
    @Test
    void shouldOnlyRefuseWhenATokenIsMutilated() throws Exception {
        final TokenMechanism tokens = tokens();
        final byte[] good = message(good(CLAIMS));
        final Random random = new Random(Long.getLong("penstock.token.seed", 8020));
        for (int i = 0; i < Integer.getInteger("penstock.token.count", 3_000); i++) {
            final byte[] changed =
                    random.nextBoolean() ? java.util.Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            if (changed.length > 0) {
                changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(127));
            }
            final AuthenticationStep step = tokens.begin(logon("")).respond(changed);
            assertThat(step)
                    .as("case %d: %s", i, new String(changed, UTF_8))
                    .satisfiesAnyOf(
                            refused -> assertThat(refused).isInstanceOf(Refused.class),
                            same -> assertThat(((Admitted) same).principal().name())
                                    .isEqualTo("ann"));
        }
    }

    private TokenMechanism tokens() {
        return tokens(keys.toString());
    }

    private TokenMechanism tokens(final String place) {
        return new TokenMechanism(
                new KeySource(place, "", nanos, errors::add),
                new TokenRules("https://id", "penstock", 60_000, "sub", "roles"),
                clock);
    }

    private static AuthenticationStep ask(final TokenMechanism tokens, final String token) {
        return tokens.begin(logon("")).respond(message(token));
    }

    private static void assertRefused(final TokenMechanism tokens, final String token, final String reason) {
        assertThat(ask(tokens, token))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).contains(reason));
    }

    private static byte[] message(final String token) {
        return ("n,,\u0001auth=Bearer " + token + "\u0001\u0001").getBytes(UTF_8);
    }

    private static Logon logon(final String user) {
        return new Logon("", user, "", "inproc:x", true, PeerIdentity.UNKNOWN);
    }

    private static String good(final String claims) throws GeneralSecurityException {
        return signed("{\"alg\":\"RS256\",\"kid\":\"r\"}", claims, "SHA256withRSA", rsa);
    }

    private static String signed(final String header, final String claims, final String algorithm, final KeyPair pair)
            throws GeneralSecurityException {
        final String text = base64(header.getBytes(UTF_8)) + "." + base64(claims.getBytes(UTF_8));
        final Signature signature = Signature.getInstance(algorithm);
        signature.initSign(pair.getPrivate());
        signature.update(text.getBytes(UTF_8));
        return text + "." + base64(signature.sign());
    }

    private void writeKeys(final String... jwks) throws IOException {
        Files.writeString(keys, "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}," + String.join(",", jwks) + "]}");
    }

    private static String rsa(final String id, final KeyPair pair) {
        final RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        return "{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"" + id + "\",\"n\":\"" + unsigned(key.getModulus(), 256)
                + "\",\"e\":\"" + unsigned(key.getPublicExponent(), 3) + "\"}";
    }

    private static String ecKey() {
        final ECPublicKey key = (ECPublicKey) ec.getPublic();
        return "{\"kty\":\"EC\",\"alg\":\"ES256\",\"crv\":\"P-256\",\"kid\":\"e\",\"x\":\""
                + unsigned(key.getW().getAffineX(), 32) + "\",\"y\":\""
                + unsigned(key.getW().getAffineY(), 32) + "\"}";
    }

    private static String edKey() {
        final EdECPublicKey key = (EdECPublicKey) ed.getPublic();
        final byte[] big = Base64.getUrlDecoder().decode(unsigned(key.getPoint().getY(), 32));
        final byte[] little = new byte[32];
        for (int i = 0; i < little.length; i++) {
            little[i] = big[31 - i];
        }
        little[31] |= (byte) (key.getPoint().isXOdd() ? 0x80 : 0);
        return "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"d\",\"x\":\"" + base64(little) + "\"}";
    }

    private static String unsigned(final BigInteger number, final int length) {
        final byte[] signed = number.toByteArray();
        final byte[] bytes = new byte[length];
        final int count = Math.min(length, signed.length);
        System.arraycopy(signed, signed.length - count, bytes, length - count, count);
        return base64(bytes);
    }

    private static String base64(final byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
