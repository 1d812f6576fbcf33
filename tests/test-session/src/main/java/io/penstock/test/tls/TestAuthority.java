package io.penstock.test.tls;

import static io.penstock.test.tls.DerWriter.bits;
import static io.penstock.test.tls.DerWriter.integer;
import static io.penstock.test.tls.DerWriter.objectId;
import static io.penstock.test.tls.DerWriter.octets;
import static io.penstock.test.tls.DerWriter.sequence;
import static io.penstock.test.tls.DerWriter.set;
import static io.penstock.test.tls.DerWriter.tagged;
import static io.penstock.test.tls.DerWriter.text;
import static io.penstock.test.tls.DerWriter.time;
import static io.penstock.test.tls.DerWriter.yes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Signs certificates for tests. Any thread. */
public final class TestAuthority {
    private static final Duration VALID = Duration.ofDays(100);
    private static final byte[] ECDSA_WITH_SHA256 = sequence(objectId(1, 2, 840, 10045, 4, 3, 2));
    private static final byte[] BASIC_CONSTRAINTS = objectId(2, 5, 29, 19);
    private static final byte[] ALTERNATIVE_NAMES = objectId(2, 5, 29, 17);
    private static final AtomicLong SERIALS = new AtomicLong(1);

    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    /**
     * Makes an authority that signs its own certificate.
     *
     * @param name of it.
     */
    public TestAuthority(final String name) {
        this.name = name;
        keys = newKeys();
        final Instant now = Instant.now();
        certificate = sign(name, keys.getPublic(), now.minus(VALID), now.plus(VALID), true);
    }

    /**
     * Makes a certificate that is valid now.
     *
     * @param subject common name; empty for a certificate that has only other names.
     * @param hosts   names and addresses that it is for; others begin with {@code email:} or {@code uri:}.
     * @return signed by this.
     */
    public TestCertificate issue(final String subject, final String... hosts) {
        final Instant now = Instant.now();
        return issue(subject, now.minus(VALID), now.plus(VALID), hosts);
    }

    /**
     * Makes a certificate.
     *
     * @param subject common name.
     * @param from    when it begins to be valid.
     * @param until   when it ends.
     * @param hosts   names and addresses that it is for.
     * @return signed by this.
     */
    public TestCertificate issue(final String subject, final Instant from, final Instant until, final String... hosts) {
        final KeyPair pair = newKeys();
        return new TestCertificate(
                List.of(sign(subject, pair.getPublic(), from, until, false, hosts)), pair.getPrivate());
    }

    /**
     * Makes a certificate that nobody else has signed.
     *
     * @param subject common name.
     * @param hosts   names and addresses that it is for.
     * @return signed by itself.
     */
    public static TestCertificate selfSigned(final String subject, final String... hosts) {
        final TestAuthority self = new TestAuthority(subject);
        final Instant now = Instant.now();
        return new TestCertificate(
                List.of(self.sign(subject, self.keys.getPublic(), now.minus(VALID), now.plus(VALID), false, hosts)),
                self.keys.getPrivate());
    }

    /**
     * Writes its certificate as PEM, to be trusted.
     *
     * @param file to write.
     * @return its name.
     */
    public String writeTrust(final Path file) {
        return TestCertificate.write(file, TestCertificate.pem(List.of(certificate)));
    }

    /**
     * Its own certificate.
     *
     * @return signed by itself.
     */
    public X509Certificate certificate() {
        return certificate;
    }

    private X509Certificate sign(
            final String subject,
            final PublicKey key,
            final Instant from,
            final Instant until,
            final boolean isAuthority,
            final String... hosts) {
        final byte[] body = sequence(
                tagged(0xA0, integer(2)),
                integer(SERIALS.getAndIncrement()),
                ECDSA_WITH_SHA256,
                nameOf(name),
                sequence(time(from), time(until)),
                nameOf(subject),
                key.getEncoded(),
                tagged(0xA3, sequence(isAuthority ? authority() : hosts(subject.isEmpty(), hosts))));
        try {
            final Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(body);
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(
                            new ByteArrayInputStream(sequence(body, ECDSA_WITH_SHA256, bits(signature.sign()))));
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] nameOf(final String commonName) {
        return commonName.isEmpty() ? sequence() : sequence(set(sequence(objectId(2, 5, 4, 3), text(commonName))));
    }

    private static byte[] authority() {
        return sequence(BASIC_CONSTRAINTS, yes(), octets(sequence(yes())));
    }

    private static byte[] hosts(final boolean isCritical, final String... hosts) {
        final ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (final String host : hosts) {
            names.writeBytes(alternative(host));
        }
        return hosts.length == 0
                ? sequence(BASIC_CONSTRAINTS, octets(sequence()))
                : isCritical
                        ? sequence(ALTERNATIVE_NAMES, yes(), octets(sequence(names.toByteArray())))
                        : sequence(ALTERNATIVE_NAMES, octets(sequence(names.toByteArray())));
    }

    private static byte[] alternative(final String name) {
        if (name.startsWith("email:")) {
            return tagged(0x81, name.substring("email:".length()).getBytes(StandardCharsets.US_ASCII));
        }
        if (name.startsWith("uri:")) {
            return tagged(0x86, name.substring("uri:".length()).getBytes(StandardCharsets.US_ASCII));
        }
        final boolean isAddress = name.indexOf(':') >= 0 || Character.isDigit(name.charAt(0));
        return isAddress ? tagged(0x87, address(name)) : tagged(0x82, name.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] address(final String host) {
        try {
            return InetAddress.getByName(host).getAddress();
        } catch (final UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static KeyPair newKeys() {
        try {
            final KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
