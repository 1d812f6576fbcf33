package io.penstock.standalone.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.ReloadReport;
import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.standalone.config.ConfigSource;
import io.penstock.standalone.logger.LogConfig;
import io.penstock.standalone.logger.ProcessLog;
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
        users.put(User.named("ann"));
        users.write();
        write("json", "info");
        final ConfigSource source = source();
        broker = Broker.launch(source.config());
        reload = new ServeReload(this::source, broker, source.admin(), source.bridge(), source.log());
    }

    @AfterEach
    void close() {
        broker.close();
        ProcessLog.configure(LogConfig.defaults());
    }

    private void write(final String format, final String level) throws IOException {
        Files.writeString(
                file,
                """
                listen: ["inproc:serve-reload"]
                threading: shared
                formatDefault: %s
                log:
                  level: %s
                permissions:
                  file: %s
                security:
                  users: %s
                """.formatted(format, level, roles, folder.resolve("users")));
    }

    private ConfigSource source() {
        return new ConfigSource().file(file);
    }

    @Test
    void shouldTakeUsersAndSettingsWhenTheFileOfPermissionsIsWrong() throws IOException {
        write("binary", "debug");
        users.put(User.named("bob"));
        users.write();
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
        assertThat(reload.get().refused()).singleElement().satisfies(refusal -> assertThat(refusal.toString())
                .contains(roles.toString()));

        Files.writeString(roles, ROLES.replace("read", "all"));
        final ReloadReport right = reload.get();
        assertThat(right.refused()).isEmpty();
        assertThat(right.applied()).extracting(ReloadReport.Change::key).allMatch(key -> key.startsWith("permissions"));
    }

    @Test
    void shouldNameWhatWasTakenBesideWhatWasRefused() throws IOException {
        write("binary", "debug");
        users.put(User.named("bob"));
        users.write();
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
