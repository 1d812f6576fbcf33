package io.penstock.transport.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.AlgorithmParameters;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as they should be, and as they should not. */
class TlsFilesTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final TestCertificate CERTIFICATE = AUTHORITY.issue("own", "127.0.0.1");

    /** Of PKCS#8: a sequence with a number and an algorithm, before the key itself. */
    private static final int EC_KEY_OFFSET = 28;

    @TempDir
    Path folder;

    private TlsConfig pem() {
        return TlsConfig.defaults()
                .certificate(
                        CERTIFICATE.writeCertificate(folder.resolve("own.pem")),
                        CERTIFICATE.writeKey(folder.resolve("own.key")));
    }

    EngineChoice engine() {
        return EngineChoice.JDK;
    }

    private TlsContexts load(final TlsConfig config) throws TlsException {
        return TlsContexts.forServer(config.engine(engine()), InstantSource.system());
    }

    private void assertRefuses(final TlsConfig config, final String... parts) {
        assertThatThrownBy(() -> load(config)).isInstanceOf(TlsException.class).hasMessageContainingAll(parts);
    }

    @Test
    void shouldReadPemWhenKeyHasItsOwnFile() throws IOException {
        assertThat(load(pem()).daysLeft()).isBetween(98L, 100L);
    }

    @Test
    void shouldReadPemWhenKeyIsInTheSameFile() throws IOException {
        final TlsConfig config = pem();
        final Path both = folder.resolve("both.pem");
        Files.writeString(
                both,
                "text before\n" + Files.readString(Path.of(config.key()))
                        + Files.readString(Path.of(config.certificate())));
        load(TlsConfig.defaults().certificate(both.toString(), ""));
    }

    @Test
    void shouldReadPkcs12WhenThePasswordIsRight() throws IOException {
        final TlsConfig config =
                TlsConfig.defaults().certificate(CERTIFICATE.writePkcs12(folder.resolve("own.p12"), "secret"), "");
        load(config.password("secret"));
        assertRefuses(config.password("wrong"), "tls.certificate", "own.p12", "the password does not open it");
    }

    @Test
    void shouldReadEncryptedKeyWhenThePasswordIsRight() throws Exception {
        final SecretKeyFactory factory = SecretKeyFactory.getInstance("PBEWithHmacSHA256AndAES_256");
        final Cipher cipher = Cipher.getInstance("PBEWithHmacSHA256AndAES_256");
        cipher.init(Cipher.ENCRYPT_MODE, factory.generateSecret(new PBEKeySpec("secret".toCharArray())));
        final AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
        parameters.init(cipher.getParameters().getEncoded());
        final byte[] encrypted = new EncryptedPrivateKeyInfo(
                        parameters, cipher.doFinal(CERTIFICATE.key().getEncoded()))
                .getEncoded();
        final TlsConfig config = pem();
        Files.writeString(Path.of(config.key()), TestCertificate.block("ENCRYPTED PRIVATE KEY", encrypted));

        load(config.password("secret"));
        assertRefuses(config, "tls.key", "own.key", "there is no password (give tls.password)");
        assertRefuses(config.password("wrong"), "the password does not open the key");
    }

    @Test
    void shouldReadOlderFormsOfKeysWhenTheyNameWhatTheyAre() throws Exception {
        final KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        final KeyPair pair = generator.generateKeyPair();
        final byte[] pkcs8 = pair.getPrivate().getEncoded();
        // The key of PKCS#1 is all but the header of 26 bytes.
        final byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
        assertThat(PrivateKeys.of(Pem.blocks(ascii(TestCertificate.block("RSA PRIVATE KEY", pkcs1))), ""))
                .isEqualTo(pair.getPrivate());
        assertThat(Der.ofPkcs1(pkcs1)).isEqualTo(pkcs8);
    }

    @Test
    void shouldSayWhatToRunWhenAnEcKeyDoesNotNameItsCurve() {
        final byte[] pkcs8 = CERTIFICATE.key().getEncoded();
        final byte[] sec1 = Arrays.copyOfRange(pkcs8, EC_KEY_OFFSET, pkcs8.length);
        assertThat(sec1[0]).isEqualTo((byte) 0x30);
        assertThatThrownBy(() -> PrivateKeys.of(Pem.blocks(ascii(TestCertificate.block("EC PRIVATE KEY", sec1))), ""))
                .hasMessageContaining("openssl pkcs8 -topk8");
    }

    private static byte[] ascii(final String text) {
        return text.getBytes(US_ASCII);
    }

    @Test
    void shouldNameTheFileWhenItIsMissing() {
        assertRefuses(
                TlsConfig.defaults().certificate("/no/such.pem", ""),
                "tls.certificate: cannot be read: /no/such.pem: no such file or directory");
        assertRefuses(pem().trust("/no/trust.pem", ""), "tls.trust: cannot be read: /no/trust.pem");
        assertRefuses(
                TlsConfig.defaults().certificate(pem().certificate(), "/no/such.key"),
                "tls.key: cannot be read: /no/such.key");
    }

    @Test
    void shouldSayWhatIsMissingWhenAFileHasSomethingElse() throws IOException {
        final TlsConfig config = pem();
        final Path text = Files.writeString(folder.resolve("text"), "hello");
        assertRefuses(config.certificate(text.toString(), ""), "text", "neither PEM nor PKCS#12");
        assertRefuses(config.certificate(config.key(), ""), "own.key", "there is no certificate in it");
        assertRefuses(config.certificate(config.certificate(), ""), "own.pem", "there is no key in it (give tls.key)");
        assertRefuses(
                config.certificate(config.certificate(), config.certificate()), "own.pem", "there is no private key");
        final Path cut = Files.writeString(folder.resolve("cut"), "-----BEGIN CERTIFICATE-----\nAAAA");
        assertRefuses(config.certificate(cut.toString(), ""), "cut", "a PEM block has no end");
        final Path bad = Files.writeString(folder.resolve("bad"), TestCertificate.block("CERTIFICATE", new byte[9]));
        assertRefuses(config.certificate(bad.toString(), ""), "bad", "cannot be decoded");
    }

    @Test
    void shouldRefuseKeyWhenItIsOfAnotherCertificate() {
        final String key = AUTHORITY.issue("other").writeKey(folder.resolve("other.key"));
        assertRefuses(pem().certificate(pem().certificate(), key), "tls.key", "other.key", "does not belong");
    }

    @Test
    void shouldRefuseCertificateWhenItHasExpiredOrIsNotValidYet() {
        final Instant now = Instant.now();
        final TlsConfig config = pem();
        assertThatThrownBy(() -> TlsContexts.forServer(config, InstantSource.fixed(now.plus(Duration.ofDays(101)))))
                .hasMessageContainingAll("own.pem", "has expired", "(renew it)");
        assertThatThrownBy(() -> TlsContexts.forServer(config, InstantSource.fixed(now.minus(Duration.ofDays(101)))))
                .hasMessageContainingAll("own.pem", "is not valid yet");
    }

    @Test
    void shouldTellOfTheKeyWhenOthersCanReadIt() throws IOException {
        final TlsConfig config = pem();
        Files.setPosixFilePermissions(Path.of(config.key()), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(load(config).wideRights()).isEqualTo(config.key());
        Files.setPosixFilePermissions(Path.of(config.key()), PosixFilePermissions.fromString("rw-------"));
        assertThat(load(config).wideRights()).isNull();
    }

    @Test
    void shouldRefuseSettingsWhenTheyAreNotSafe() {
        final TlsConfig config = TlsConfig.defaults();
        assertThatThrownBy(() -> config.protocols(List.of("TLSv1.1"), List.of()))
                .hasMessageStartingWith("tls.protocols: not known, or not safe: TLSv1.1");
        assertThatThrownBy(() -> config.protocols(List.of("TLSv1.3"), List.of("TLS_RSA_WITH_AES_128_CBC_SHA")))
                .hasMessageStartingWith("tls.ciphers: not known, or not safe");
        assertThatThrownBy(() -> config.clientCertificates(ClientCertificates.REQUIRED))
                .hasMessageStartingWith("tls.trust: is empty");
        assertThatThrownBy(() -> config.handshakeTimeoutMs(1)).hasMessageStartingWith("tls.handshakeTimeoutMs: out of");
        assertThat(config.password("secret").toString()).doesNotContain("secret");
    }
}
