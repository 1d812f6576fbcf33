package io.penstock.standalone.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.AnonymousLogon;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Principal;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.client.PenstockClient;
import io.penstock.protocol.ErrorCode;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users from the command that adds them to the client that logs on as one. */
@Timeout(120)
class UserCommandTest {
    private static final String ITERATIONS = "4096";

    @TempDir
    private Path directory;

    private Path users;
    private Path password;
    private Path other;

    @BeforeEach
    void write() throws IOException {
        users = directory.resolve("users");
        password = Files.writeString(directory.resolve("password"), "correct horse\n");
        other = Files.writeString(directory.resolve("other"), "battery staple\n");
    }

    @Test
    void shouldKeepThePasswordFromABrokerOnLoopbackThatTakesNoProofUnlessItIsToldTo() throws Exception {
        final List<String> seen = new CopyOnWriteArrayList<>();
        try (Broker broker = launch(new SecurityConfig(
                logon -> {
                    seen.add(logon.password());
                    return new Principal(logon.user().isEmpty() ? "nobody" : logon.user());
                },
                Authorizer.ALL,
                false))) {
            final String endpoint = broker.endpoints().get(0).toString();
            final String[] topics = {"topics", "-b", endpoint, "--user", "ann", "--password-file", password.toString()};
            assertThat(run(topics)).contains("others could read it, or listen in its place");
            assertThat(seen).isEmpty();

            assertThat(run("topics", "-b", endpoint, "--password-file", password.toString()))
                    .doesNotContain("horse");
            assertThat(seen).doesNotContain("correct horse");

            assertThat(run(
                            "topics",
                            "-b",
                            endpoint,
                            "--user",
                            "ann",
                            "--password-file",
                            password.toString(),
                            "--allow-plain"))
                    .startsWith("0: ");
            assertThat(seen).contains("correct horse");
        }
    }

    @Test
    void shouldLetThoseInThatWereAdded() throws Exception {
        assertThat(add("ann", password, "--role", "trader")).isEqualTo("0: ");
        assertThat(Files.readString(users)).contains("user ann role=trader ").doesNotContain("horse");
        try (Broker broker = launch(SecurityConfig.defaults().withUsers(users.toString()))) {
            final String endpoint = broker.endpoints().get(0).toString();
            try (PenstockClient client = connect(endpoint, "ann", "correct horse")) {
                client.publish("t", "{\"n\":1}");
                client.flush();
            }
            assertThat(run("topics", "-b", endpoint, "--user", "ann", "--password-file", password.toString()))
                    .startsWith("0: ")
                    .contains("\nt ");
            assertThat(run("topics", "-b", endpoint, "--user", "ann", "--password-file", other.toString()))
                    .startsWith("1: ")
                    .contains("refused for user 'ann' (check user and password)");
            assertThat(run("topics", "-b", endpoint)).contains("a client without a user is refused");
            final ClientConfig plain = ClientConfig.builder(endpoint)
                    .credentials(() -> new LogonCredentials(LogonMechanism.PLAIN, "ann", "correct horse"))
                    .build();
            PenstockClient.connect(plain).close();
        }
    }

    @Test
    void shouldEndTheSessionOfAUserThatWasRemovedAndOfNoOther() throws Exception {
        add("ann", password);
        add("bob", password);
        try (Broker broker = launch(SecurityConfig.defaults().withUsers(users.toString()))) {
            final String endpoint = broker.endpoints().get(0).toString();
            final List<ErrorCode> ends = new ArrayList<>();
            final CountDownLatch isEnded = new CountDownLatch(1);
            final ClientConfig config = ClientConfig.builder(endpoint)
                    .credentials("ann", "correct horse")
                    .onDisconnect(disconnect -> {
                        ends.add(disconnect.errorCode());
                        isEnded.countDown();
                        return false;
                    })
                    .build();
            try (PenstockClient ann = PenstockClient.connect(config);
                    PenstockClient bob = connect(endpoint, "bob", "correct horse")) {
                assertThat(run("user", "remove", "ann", "-f", users.toString())).isEqualTo("0: ");
                broker.reloadUsers();

                assertThat(isEnded.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(ends).containsExactly(ErrorCode.SESSION_REVOKED);
                bob.flush();
                // the listener is asked before the client closes itself
                while (!ann.isClosed()) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void shouldSayWhyAUserIsRefusedWhenTheBrokerHasNone() {
        try (Broker broker = launch(SecurityConfig.defaults())) {
            final String endpoint = broker.endpoints().get(0).toString();
            assertThatThrownBy(() -> connect(endpoint, "ann", "correct horse").close())
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("the broker knows no user 'ann': it has none");
        }
    }

    @Test
    void shouldGiveAPasswordInClearToAnAuthenticatorWhenItIsToldTo() {
        final SecurityConfig defaults = SecurityConfig.defaults();
        final SecurityConfig simple = new SecurityConfig(
                logon -> logon.password().equals("correct horse")
                        ? new io.penstock.broker.security.Principal(logon.user())
                        : null,
                defaults.authorizer(),
                false);
        try (Broker broker = launch(simple.withAnonymous(AnonymousLogon.NONE))) {
            final String endpoint = broker.endpoints().get(0).toString();
            connect(plain(endpoint, "correct horse")).close();
            assertThatThrownBy(() -> connect(plain(endpoint, "horse")).close())
                    .hasMessageContaining("refused for user 'ann'");
        }
    }

    private static ClientConfig plain(final String endpoint, final String secret) {
        return ClientConfig.builder(endpoint)
                .credentials(() -> new LogonCredentials(LogonMechanism.PLAIN, "ann", secret))
                .build();
    }

    @Test
    void shouldChangeAndListUsers() throws IOException {
        add("ann", password, "--role", "b", "--role", "a", "--attribute", "desk=fx spot", "--uid", "1000");
        assertThat(run("user", "add", "feed", "-f", users.toString(), "--no-password", "--certificate", "CN=feed"))
                .isEqualTo("0: ");
        assertThat(run("user", "set", "ann", "-f", users.toString(), "--disabled", "--clear", "uids"))
                .isEqualTo("0: ");
        final String before = Files.readString(users);
        assertThat(run(
                        "user",
                        "passwd",
                        "ann",
                        "-f",
                        users.toString(),
                        "--iterations",
                        "5000",
                        "--password-file",
                        other.toString()))
                .isEqualTo("0: ");
        assertThat(Files.readString(users)).isNotEqualTo(before);

        assertThat(run("user", "list", "-f", users.toString(), "--json"))
                .isEqualTo(
                        "0: {\"user\":\"ann\",\"disabled\":\"yes\",\"roles\":\"a b\",\"attributes\":\"desk=fx spot\","
                                + "\"password\":\"scram 5000\",\"certificates\":\"\",\"uids\":\"\"}\n"
                                + "{\"user\":\"feed\",\"disabled\":\"\",\"roles\":\"\",\"attributes\":\"\",\"password\":\"\","
                                + "\"certificates\":\"CN=feed\",\"uids\":\"\"}\n");
        run("user", "set", "ann", "-f", users.toString(), "--enabled", "--clear", "roles", "--clear", "password");
        assertThat(Files.readString(users)).contains("user ann attribute.desk=\"fx spot\"\n");
    }

    @Test
    void shouldChangeNothingWhenSomethingIsWrong() throws IOException {
        add("ann", password);
        final String before = Files.readString(users);
        final String file = users.toString();
        final Path empty = Files.writeString(directory.resolve("empty"), "\n");

        assertThat(add("ann", password)).startsWith("2: ").contains("user ann: is there already");
        assertThat(add("a b", password)).startsWith("2: ").contains("user: not a name: 'a b'");
        assertThat(add("bob", empty)).startsWith("2: ").contains("password: empty");
        assertThat(add("bob", directory.resolve("nowhere"))).contains("--password-file: cannot be read");
        assertThat(add("bob", password, "--attribute", "x")).contains("--attribute: not NAME=VALUE: x");
        assertThat(add("bob", password, "--certificate", "x")).contains("certificate: not a name: x");
        assertThat(add("bob", password, "--certificate", "O = Example, OU = a\\, b, CN = bob"))
                .startsWith("2: ")
                .contains("in the order of openssl: O = Example,")
                .contains("(give CN=bob,OU=a\\, b,O=Example, as openssl");
        assertThat(run("user", "set", "ann", "-f", file, "--clear", "attributs"))
                .startsWith("2: ")
                .contains("[roles, attributes, certificates, uids, password] but was");
        assertThat(run("user", "add", "bob", "-f", file)).startsWith("2: ").contains("no terminal");
        assertThat(run("user", "passwd", "bob", "-f", file, "--password-file", "x"))
                .contains("user bob: there is none");
        assertThat(run("user", "remove", "bob", "-f", file)).contains("user bob: there is none");
        assertThat(run("user", "set", "ann", "-f", file)).contains("nothing to change");
        assertThat(run("user", "set", "ann", "-f", file, "--enabled", "--disabled"))
                .contains("give one of them");
        assertThat(run("user", "list", "-f", directory.resolve("none").toString()))
                .contains("no such file or directory (make it by 'penstock user add')");
        assertThat(Files.readString(users)).isEqualTo(before);
    }

    private String add(final String name, final Path passwordFile, final String... more) {
        final List<String> args = new ArrayList<>(List.of(
                "user",
                "add",
                name,
                "-f",
                users.toString(),
                "--password-file",
                passwordFile.toString(),
                "--iterations",
                ITERATIONS));
        args.addAll(List.of(more));
        return run(args.toArray(new String[0]));
    }

    private static Broker launch(final SecurityConfig security) {
        return Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .security(security)
                .build());
    }

    private static PenstockClient connect(final String endpoint, final String user, final String secret) {
        return connect(ClientConfig.builder(endpoint).credentials(user, secret).build());
    }

    private static PenstockClient connect(final ClientConfig config) {
        return PenstockClient.connect(config);
    }

    private static String run(final String... args) {
        final StringWriter out = new StringWriter();
        final var line = Main.commandLine(args);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        final int exitCode = line.execute(args);
        return exitCode + ": " + out;
    }
}
