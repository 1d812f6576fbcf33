package io.penstock.bridge;

import io.penstock.broker.SecurityConfig;
import io.penstock.broker.TokenConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.AnonymousLogon;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.PlainPasswords;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The certificates of a bridge and of its clients, in files, and users who are known by theirs. */
public final class CertificateFiles {
    /** A file of users with one, Ann, who has a certificate. */
    public static final String USERS =
            "penstock-users 1\nsecret " + "A".repeat(43) + "=\nuser ann certificate=CN=ann\n";

    private final TestAuthority authority;
    private final Path folder;
    private int count;

    /**
     * None so far.
     *
     * @param authority that both sides trust.
     * @param folder    of the files.
     */
    public CertificateFiles(final TestAuthority authority, final Path folder) {
        this.authority = authority;
        this.folder = folder;
    }

    /** The path of a file with the certificate of an authority. */
    public String trust(final TestAuthority trusted) {
        return trusted.writeTrust(folder.resolve("trust-" + count++ + ".pem"));
    }

    /** Settings of a client that has a certificate. */
    public TlsConfig as(final TestCertificate certificate) {
        return own(certificate, "own-" + count++);
    }

    /** Settings of a bridge whose certificate is for a host, and which asks for those of clients. */
    public TlsConfig bridge(final String host) {
        return own(authority.issue("bridge", host), "bridge")
                .clientCertificates(ClientCertificates.OPTIONAL)
                .handshakeTimeoutMs(2000);
    }

    private TlsConfig own(final TestCertificate certificate, final String name) {
        return TlsConfig.defaults()
                .certificate(
                        certificate.writeCertificate(folder.resolve(name + ".pem")),
                        certificate.writeKey(folder.resolve(name + ".key")))
                .trust(trust(authority), "");
    }

    /** Ann may publish, others may not. The file of users is made with a text. */
    public static SecurityConfig users(final Path users, final String text) throws IOException {
        Files.createFile(users, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(users, text);
        return new SecurityConfig(
                Authenticator.NONE,
                (principal, action, topic) ->
                        action != Action.PUBLISH || principal.name().equals("ann"),
                false,
                AnonymousAdministration.NONE,
                users.toString(),
                AnonymousLogon.ALL,
                PlainPasswords.SECURE,
                TokenConfig.none(),
                List.of());
    }
}
