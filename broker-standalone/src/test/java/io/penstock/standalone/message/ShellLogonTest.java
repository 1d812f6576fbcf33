package io.penstock.standalone.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.TokenConfig;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.AnonymousLogon;
import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.standalone.Main;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** As whom a command logs on, by its options. */
@Timeout(120)
class ShellLogonTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");

    /** What the log has of log-ons that were refused. */
    private final BlockingQueue<String> refusals = new LinkedBlockingQueue<>();

    @TempDir
    private Path folder;

    @Test
    void shouldLogOnAsTheUserOfItsCertificateWhenNoUserIsNamed() throws IOException, InterruptedException {
        final TestCertificate feed = AUTHORITY.issue("feed", "127.0.0.1");
        final TestCertificate stranger = AUTHORITY.issue("stranger", "127.0.0.1");
        final String subject = feed.chain().get(0).getSubjectX500Principal().getName();
        try (Broker broker = encrypted(SecurityConfig.defaults().withUsers(users(List.of(subject), Set.of())))) {
            assertThat(run(broker, feed).exitCode).isZero();
            assertThat(run(broker, stranger).err).contains("logon: refused by EXTERNAL");
            assertThat(refusals.poll(30, TimeUnit.SECONDS))
                    .contains("no user has its certificate: CN=stranger (give it to one: penstock user set NAME");
            assertThat(run(broker, feed, "--user", "ann").err).contains("no password for ann");
            assertThat(run(broker, feed, "--user", "ann", "--password-file", file("pw", "wrong")).err)
                    .contains("logon: refused for user 'ann'");
        }
    }

    /** A certificate may be asked for, and say nothing about users. */
    @Test
    void shouldBeAnonymousWithACertificateWhenItIsNobodysAndSuchClientsAreLetIn() throws IOException {
        final TestCertificate feed = AUTHORITY.issue("feed", "127.0.0.1");
        try (Broker broker = encrypted(SecurityConfig.defaults())) {
            assertThat(run(broker, feed).exitCode).isZero();
        }
        final SecurityConfig users = SecurityConfig.defaults().withUsers(users(List.of(), Set.of()));
        try (Broker broker = encrypted(users.withAnonymous(AnonymousLogon.ALL))) {
            assertThat(run(broker, feed).exitCode).isZero();
        }
        try (Broker broker = encrypted(users)) {
            assertThat(run(broker, feed).err).contains("does not take EXTERNAL (it takes SCRAM-SHA-256");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLogOnAsTheUserOfItsProcessOverIpc() throws IOException {
        final int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        final String ipc = "ipc:" + folder.resolve("door");
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen(ipc)
                .security(SecurityConfig.defaults().withUsers(users(List.of(), Set.of(own))))
                .build())) {
            assertThat(run("topics", "--broker", ipc).exitCode).isZero();
            users(List.of(), Set.of(own + 1));
            broker.reloadUsers();
            assertThat(run("topics", "--broker", ipc).err).contains("logon: refused by EXTERNAL");
        }
    }

    @Test
    void shouldLogOnByTheTokenInAFile() throws IOException, GeneralSecurityException {
        final KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
        keys.initialize(2048);
        final KeyPair pair = keys.generateKeyPair();
        final RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        final String set = file(
                "keys.json",
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"1\",\"n\":\""
                        + base64(key.getModulus().toByteArray()) + "\",\"e\":\""
                        + base64(key.getPublicExponent().toByteArray()) + "\"}]}");
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .security(SecurityConfig.defaults()
                        .withTokens(new TokenConfig(set, "", "https://id", "penstock", 0, "sub", "roles")))
                .build())) {
            final String endpoint = broker.endpoints().get(0).toString();
            final String token = file("token", token(pair) + "\n");

            assertThat(run("topics", "--broker", endpoint, "--token-file", token).exitCode)
                    .isZero();
            assertThat(run("topics", "--broker", endpoint, "--token-file", file("bad", "a.b.c")).err)
                    .contains("logon: refused by OAUTHBEARER");
            assertThat(run("topics", "--broker", endpoint, "--token-file", folder + "/no").err)
                    .contains("--token-file: cannot be read: " + folder + "/no");
            assertThat(run("topics", "--broker", endpoint, "--token-file", token, "--user", "ann").err)
                    .contains("--token-file: beside --user");
        }
    }

    @Test
    void shouldNotGuessWhenThereIsNoPasswordAndNobodyToAsk() {
        for (final String[] command : List.of(
                new String[] {"topics", "--user", "ann", "--broker", "tcp://127.0.0.1:1"},
                new String[] {"columns", "list", "--user", "ann", "--admin", "http://127.0.0.1:1"},
                new String[] {"client", "list", "--user", "ann", "--admin", "http://127.0.0.1:1"})) {
            final Result result = run(command);

            assertThat(result.exitCode).isEqualTo(Main.EXIT_USAGE);
            assertThat(result.err).contains("--user: no password for ann").contains("(give --password-file, or set");
        }
    }

    private Broker encrypted(final SecurityConfig security) {
        final TestCertificate certificate = AUTHORITY.issue("broker", "127.0.0.1");
        return Broker.launch(BrokerConfig.builder()
                .listen("tcps://127.0.0.1:0")
                .tls(TlsConfig.defaults()
                        .certificate(
                                certificate.writeCertificate(folder.resolve("broker.pem")),
                                certificate.writeKey(folder.resolve("broker.key")))
                        .trust(AUTHORITY.writeTrust(folder.resolve("authority.pem")), "")
                        .clientCertificates(ClientCertificates.REQUIRED))
                .security(security)
                .events(event -> {
                    if (event.kind() == EventKind.LOGON_REFUSED) {
                        refusals.add(event.toString());
                    }
                })
                .build());
    }

    private String users(final List<String> certificates, final Set<Integer> uids) {
        final Path path = folder.resolve("users");
        final UsersFile file = UsersFile.empty(path);
        file.put(new User("feed", false, Set.of(), Map.of(), null, certificates, uids));
        file.write();
        return path.toString();
    }

    private Result run(final Broker broker, final TestCertificate certificate, final String... more) {
        final String[] args = new String[more.length + 9];
        System.arraycopy(
                new String[] {
                    "topics",
                    "--broker",
                    broker.endpoints().get(0).toString(),
                    "--tls-ca",
                    folder.resolve("authority.pem").toString(),
                    "--tls-cert",
                    certificate.writeCertificate(folder.resolve("client.pem")),
                    "--tls-key",
                    certificate.writeKey(folder.resolve("client.key"))
                },
                0,
                args,
                0,
                9);
        System.arraycopy(more, 0, args, 9, more.length);
        return run(args);
    }

    private record Result(int exitCode, String err) {}

    private static Result run(final String... args) {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final int exitCode = Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        return new Result(exitCode, err.toString());
    }

    private String file(final String name, final String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static String token(final KeyPair pair) throws GeneralSecurityException {
        final long expiresS = System.currentTimeMillis() / 1_000 + 3_600;
        final String text = base64("{\"alg\":\"RS256\",\"kid\":\"1\"}".getBytes(UTF_8)) + "."
                + base64(("{\"iss\":\"https://id\",\"aud\":\"penstock\",\"sub\":\"ann\",\"exp\":" + expiresS + "}")
                        .getBytes(UTF_8));
        final Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(pair.getPrivate());
        signature.update(text.getBytes(UTF_8));
        return text + "." + base64(signature.sign());
    }

    private static String base64(final byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
