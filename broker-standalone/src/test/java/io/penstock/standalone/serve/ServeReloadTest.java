package io.penstock.standalone.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.ReloadReport;
import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.standalone.config.ConfigSource;
import io.penstock.standalone.logger.LogConfig;
import io.penstock.standalone.logger.ProcessLog;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each file of a running broker is judged for itself when all are read again. */
class ServeReloadTest {
    private static final String ROLES = """
            roles:
              - name: everyone
                rules:
                  - allow: read
            """;

    private static final TestAuthority AUTHORITY = new TestAuthority("authority");

    @TempDir
    private Path folder;

    private Path file;
    private Path roles;
    private UsersFile users;
    private Broker broker;
    private ServeReload reload;

    @BeforeEach
    void launch() throws IOException {
        file = folder.resolve("penstock.yaml");
        roles = Files.writeString(folder.resolve("roles.yaml"), ROLES);
        users = UsersFile.empty(folder.resolve("users"));
        addUser("ann");
        certify();
        write("json", "info");
        final ConfigSource source = source();
        broker = Broker.launch(source.config());
        reload = new ServeReload(this::source, broker, source.admin(), source.bridge(), source.log(), source.cluster());
    }

    @AfterEach
    void close() {
        broker.close();
        ProcessLog.configure(LogConfig.defaults());
    }

    private void write(final String format, final String level) throws IOException {
        Files.writeString(file, """
                listen: ["inproc:serve-reload"]
                threading: shared
                formatDefault: %s
                log:
                  level: %s
                permissions:
                  file: %s
                security:
                  users: %s
                tls:
                  certificate: %s
                  key: %s
                """.formatted(
                        format,
                        level,
                        roles,
                        folder.resolve("users"),
                        folder.resolve("broker.pem"),
                        folder.resolve("broker.key")));
    }

    private void certify() {
        final TestCertificate issued = AUTHORITY.issue("broker", "127.0.0.1");
        issued.writeCertificate(folder.resolve("broker.pem"));
        issued.writeKey(folder.resolve("broker.key"));
    }

    private void addUser(final String name) throws IOException {
        users.put(User.named(name));
        users.write();
    }

    private static List<String> applied(final ReloadReport report) {
        return report.applied().stream().map(ReloadReport.Change::key).toList();
    }

    private static List<String> refused(final ReloadReport report) {
        return report.refused().stream().map(ReloadReport.Refusal::what).toList();
    }

    private ConfigSource source() {
        return new ConfigSource().file(file);
    }

    @Test
    void shouldTakeUsersAndSettingsWhenTheFileOfPermissionsIsWrong() throws IOException {
        write("binary", "debug");
        addUser("bob");
        for (final String wrong : List.of("roles: [ {name: x, rules: [ {allow: fly} ] } ]\n", "roles: {\n")) {
            Files.writeString(roles, wrong);
            final ReloadReport report = reload.get();

            assertThat(report.refused())
                    .singleElement()
                    .satisfies(refusal -> assertThat(refusal.toString())
                            .startsWith("permissions: ")
                            .contains(roles.toString()));
            assertThat(broker.config().formatDefault()).isEqualTo("binary");
            assertThat(broker.config().permissions().roles()).hasSize(1);
        }
        Files.delete(roles);
        assertThat(reload.get().refused())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.toString()).contains(roles.toString()));

        Files.writeString(roles, ROLES.replace("read", "all"));
        final ReloadReport right = reload.get();
        assertThat(right.refused()).isEmpty();
        assertThat(right.applied()).extracting(ReloadReport.Change::key).allMatch(key -> key.startsWith("permissions"));
    }

    @Test
    void shouldTakeEachFileThatIsRightWhenAnotherIsWrong() throws IOException {
        Files.writeString(roles, "roles: 7\n");
        certify();
        addUser("bob");
        final ReloadReport wrongPermissions = reload.get();
        assertThat(refused(wrongPermissions)).containsExactly("permissions");
        assertThat(applied(wrongPermissions)).containsExactlyInAnyOrder("security.users", "tls");

        Files.writeString(roles, ROLES.replace("read", "all"));
        Files.writeString(folder.resolve("broker.pem"), "no certificate\n");
        addUser("cyd");
        final ReloadReport wrongCertificate = reload.get();
        assertThat(refused(wrongCertificate)).containsExactly("tls");
        assertThat(applied(wrongCertificate))
                .contains("security.users")
                .anyMatch(key -> key.startsWith("permissions"))
                .doesNotContain("tls");

        Files.writeString(roles, ROLES);
        certify();
        Files.writeString(folder.resolve("users"), "no users\n");
        final ReloadReport wrongUsers = reload.get();
        assertThat(refused(wrongUsers)).containsExactly("security.users");
        assertThat(applied(wrongUsers))
                .contains("tls")
                .anyMatch(key -> key.startsWith("permissions"))
                .doesNotContain("security.users");
    }

    @Test
    void shouldNameWhatWasTakenBesideWhatWasRefused() throws IOException {
        write("binary", "debug");
        addUser("bob");
        Files.writeString(roles, "roles: 7\n");
        final List<String> lines = reload.get().lines();

        assertThat(lines)
                .contains("applied: formatDefault: json -> binary")
                .contains("applied: security.users: 1 user -> 2 users (added bob)")
                .anyMatch(line -> line.startsWith("applied: log.level: info -> debug"))
                .anyMatch(line -> line.startsWith("refused: permissions: ") && line.contains(roles.toString()));
    }

    @Test
    void shouldTakeNothingWhenTheConfigurationItselfIsWrong() throws IOException {
        write("no-such-format", "debug");
        final List<String> lines = reload.get().lines();

        assertThat(lines).noneMatch(line -> line.startsWith("applied: "));
        assertThat(lines).anyMatch(line -> line.contains("no-such-format"));

        Files.writeString(file, "formatDefalt: binary\n");
        assertThat(reload.get().lines())
                .singleElement()
                .asString()
                .startsWith("refused: configuration: ")
                .contains("formatDefalt");
        assertThat(broker.config().formatDefault()).isEqualTo("json");
    }
}
