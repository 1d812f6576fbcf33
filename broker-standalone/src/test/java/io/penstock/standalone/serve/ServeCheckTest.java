package io.penstock.standalone.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.standalone.Main;
import io.penstock.standalone.config.ConfigSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a configuration is said at once, and nothing is started or made for that. */
class ServeCheckTest {
    @TempDir
    private Path folder;

    @Test
    void shouldFindNothingWhenAllIsRight() throws IOException {
        final Result result = check("topics:\n  - name: orders\n    key: id\n");

        assertThat(result.exitCode).isEqualTo(Main.EXIT_OK);
        assertThat(result.lines).containsExactly("nothing is wrong");
    }

    @Test
    void shouldNameEveryMistakeWithItsLineWhenThereAreMany() throws IOException {
        final Result result = check("""
            threading: invoker
            shardCount: 0
            windw: 3
            window:
              segmentLength: 1000
            topics:
              - name: good
              - name: bad
                shard: -7
              - { name: other, format: nope }
            bridge:
              leaseMs: 1
            log:
              level: loud
            listen: [ "tcp://127.0.0.1:99999", "nope://x:1" ]
            """);

        assertThat(result.exitCode).isEqualTo(Main.EXIT_USAGE);
        assertThat(result.lines)
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":1: threading: invoker has no threads"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":2: shardCount: "))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":3: windw: no such key"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":5: window.segmentLength: "))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":9: topics.shard: "))
                .anyMatch(line -> line.contains("topics") && line.contains("nope"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":12: bridge.leaseMs: "))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":14: log.level: no such choice: loud"))
                .anyMatch(line -> line.contains("no port from 0 to 65535: tcp://127.0.0.1:99999"))
                .anyMatch(line -> line.contains("no transport for its scheme: nope://x:1"))
                .contains("11 mistakes, 0 warnings");
    }

    @Test
    void shouldNameWhatKeepsItFromBeingANodeOfACluster() throws IOException {
        final Result reachable = check("""
            cluster:
              members: [ "10.0.0.1:9300", "10.0.0.2:9300", "10.0.0.3:9300" ]
            """);
        final Result files = check("""
            journal:
              directory: somewhere
            cluster:
              members: [ "127.0.0.1:9300", "127.0.0.1:9310", "127.0.0.1:9320" ]
            """);

        assertThat(reachable.lines)
                .anyMatch(
                        line -> line.startsWith("mistake: " + file() + ":2: cluster.members: other machines can reach")
                                && line.contains("cluster.trustedNetwork: true"));
        assertThat(files.lines).anyMatch(line -> line.contains("journal.directory: a node of a cluster has"));
    }

    @Test
    void shouldNamePortsThatEncryptWithoutACertificate() throws IOException {
        final Result result = check("""
            admin:
              listen: https://127.0.0.1:9180
            bridge:
              rmi:
                port: 0
                tls: true
              iiop:
                port: 0
                tls: required
            """);

        assertThat(result.exitCode).isEqualTo(Main.EXIT_USAGE);
        assertThat(result.lines)
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":2: admin.listen: is https, but there is no"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":6: bridge.rmi.tls: is true, but there"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":9: bridge.iiop.tls: is used, but there"))
                .contains("3 mistakes, 0 warnings");
    }

    @Test
    void shouldReadUsersPermissionsAndCertificates() throws IOException {
        final Path users = Files.writeString(folder.resolve("users"), "no user\n");
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
        final Result result = check("security:\n  users: " + users + "\ntls:\n  certificate: "
                + folder.resolve("none.pem") + "\n  key: " + folder.resolve("none.key") + "\n");

        assertThat(result.exitCode).isEqualTo(Main.EXIT_USAGE);
        assertThat(result.lines)
                .anyMatch(line -> line.startsWith("mistake: ") && line.contains("users") && line.contains("1"))
                .anyMatch(line -> line.startsWith("mistake: ") && line.contains("none.pem"))
                .anyMatch(line -> line.startsWith("warning: ") && line.contains("every user may do everything"));
    }

    @Test
    void shouldGoOnBehindMistakesThatLeaveASectionOut() throws IOException {
        final Path roles = Files.writeString(
                folder.resolve("roles.yaml"), "roles:\n  - name: r\n    rules:\n      - allow: reed\n");
        final Result result = check("""
            # a comment before the first key
            topics:
              - { name: orders, kee: id }
            views:
              - { name: v, source: orders, select: id }
            security:
              anonymus: none
              users: %1$s/none
              tokens:
                keys: %1$s/none
            tls:
              clientCertificates: required
            permissions:
              file: %2$s
            admin:
              listen: http://192.0.2.1:9180
            listen: [ "tcps://192.0.2.1:9143", "tcp://127.0.0.1:99100" ]
            """.formatted(folder, roles));

        assertThat(result.lines)
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":3: topics.kee: no such key"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":7: security.anonymus: no such key"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":9: security.tokens.issuer: empty")
                        || line.startsWith("mistake: " + file() + ":10: security.tokens.issuer: empty"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":8: security.users: users: "))
                .anyMatch(line -> line.startsWith("mistake: " + roles + ":4: permissions.roles: role r, rule 1:"))
                .anyMatch(line -> line.startsWith("mistake: " + file() + ":16: admin.listen: "))
                .anyMatch(line -> line.contains("no port from 0 to 65535: tcp://127.0.0.1:99100"))
                .anyMatch(line -> line.contains("tls.clientCertificates: ") || line.contains("tls.trust: "))
                // These are so only for what was left out.
                .noneMatch(line -> line.contains("views: "))
                .noneMatch(line -> line.contains("tls.certificate: is empty"))
                .noneMatch(line -> line.contains("every user may do everything"))
                .contains("8 mistakes, 0 warnings");
    }

    @Test
    void shouldReadTheKeysOfTokens() throws IOException {
        final Path keys = folder.resolve("keys.json");
        final String yaml = "security:\n  tokens: { keys: " + keys + ", issuer: i, audience: a }\n";
        assertThat(check(yaml).lines)
                .anyMatch(line ->
                        line.startsWith("mistake: " + file() + ":2: security.tokens.keys: " + keys + ": no such"));
        for (final String bad : List.of("x", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}")) {
            Files.writeString(keys, bad);

            assertThat(check(yaml).lines)
                    .as(bad)
                    .anyMatch(line -> line.startsWith("mistake: " + file() + ":2: security.tokens.keys: " + keys));
        }
        assertThat(check("security: { tokens: { keys: 'https://127.0.0.1:1/keys', issuer: i, audience: a } }\n")
                        .exitCode)
                .isEqualTo(Main.EXIT_OK);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldWarnWhenOthersCanReadAPasswordInTheConfiguration() throws IOException {
        final String yaml = "tls:\n  password: s3cret\n";
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(Path.of(file()), yaml);
        Files.setPosixFilePermissions(Path.of(file()), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(check(yaml).lines)
                .contains("warning: " + file() + ": has a password, and others can read it: rw-r--r-- (chmod 600 "
                        + file() + ")");
        assertThat(check("tls:\n  password: ''\n").lines).containsExactly("nothing is wrong");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        assertThat(check(yaml).lines).noneMatch(line -> line.contains("has a password"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(Path.of(file()), PosixFilePermissions.fromString("rw-------"));
        assertThat(check(yaml).lines).noneMatch(line -> line.contains("has a password"));
    }

    @Test
    void shouldRefuseDirectoriesOfBackupsAndOfRestoresThatHaveNotEnded() throws IOException {
        final String yaml = "journal:\n  directory: " + folder.resolve("d") + "\n";
        Files.createDirectory(folder.resolve("d"));
        Files.createFile(folder.resolve("d/backup.list"));
        assertThat(check(yaml).lines)
                .anyMatch(
                        line -> line.startsWith("mistake: " + file() + ":2: journal.directory: " + folder.resolve("d"))
                                && line.contains("is a backup, which a broker would change"));
        Files.move(folder.resolve("d/backup.list"), folder.resolve("d/restore.unfinished"));
        assertThat(check(yaml).lines).anyMatch(line -> line.contains("a restore into it has not ended"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldFindThatNothingCanBeMadeInTheSystemsOwnDirectories() throws IOException {
        assertThat(check("audit:\n  directory: /proc/audit\n").lines)
                .anyMatch(line ->
                        line.startsWith("mistake: " + file() + ":2: audit.directory: cannot be written: /proc"));
    }

    @Test
    void shouldNameTheFileAloneForWhatStandsInNoLine() throws IOException {
        final Path users = Files.writeString(folder.resolve("users"), "penstock-users 1\n");
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));

        assertThat(check("# of the desk\nsecurity: { users: " + users + " }\n").lines)
                .anyMatch(line -> line.startsWith("warning: " + file() + ": permissions: there are users"));
    }

    @Test
    void shouldNameTheFileWhenItIsNotYaml() throws IOException {
        final Result result = check("a: [1\n");

        assertThat(result.exitCode).isEqualTo(Main.EXIT_USAGE);
        assertThat(result.lines).hasSize(2).first().asString().contains("not YAML");
    }

    @Test
    void shouldRefuseADirectoryWhenAFileIsInItsPlace() throws IOException {
        final Path file = Files.writeString(folder.resolve("taken"), "x");
        final Result result = check("journal:\n  directory: " + file + "\nsinks:\n  directory: " + file.resolve("below")
                + "\n  files:\n    - name: s\n");

        assertThat(result.exitCode).isEqualTo(Main.EXIT_USAGE);
        assertThat(result.lines)
                .anyMatch(line -> line.contains(":2: journal.directory: not a directory: " + file))
                .anyMatch(line -> line.contains(":4: sinks.directory: not a directory: " + file));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldWarnAndMakeNothingWhenADirectoryIsNotThereOrOpenToOthers() throws IOException {
        final Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        final Result result = check("journal:\n  directory: " + open + "\n  fileLength: 64MiB\n  archive: "
                + folder.resolve("a/b") + "\nsecurity:\n  allowInsecureListen: true\nlisten: tcp://0.0.0.0:0\n");

        assertThat(result.exitCode).isEqualTo(Main.EXIT_OK);
        assertThat(result.lines)
                .anyMatch(line -> line.startsWith("warning: ") && line.contains("rwxr-xr-x (chmod 700 it)"))
                .anyMatch(line -> line.contains(":4: journal.archive: not there yet: "))
                .anyMatch(line -> line.contains(":6: security.allowInsecureListen: other machines can reach"));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(open, Path.of(file()));
        }
    }

    @Test
    void shouldFindViewsWithoutASourceAndEndpointsThatOthersReach() throws IOException {
        final Result result = check("""
            listen: tcp://192.0.2.1:9100
            topics:
              - { name: orders, key: id }
            views:
              - { name: v, source: nothing, select: id }
              - { name: orders, source: v, select: id }
              - { name: w, select: /orders/id, join: { left: orders, right: none, on: /orders/id = /none/id } }
            """);

        assertThat(result.lines)
                .anyMatch(line -> line.contains(":1: listen: other machines can reach tcp://192.0.2.1:9100"))
                .anyMatch(line -> line.contains("views: v: no declared topic or view before it: nothing"))
                .anyMatch(line -> line.contains("views: w: no declared topic or view before it: none"))
                .anyMatch(line -> line.contains("views: orders: there is a topic or view of that name"));
    }

    @Test
    void shouldFindADirectoryThatIsUsedTwice() throws IOException {
        final Result result = check("journal:\n  directory: " + folder.resolve("d") + "\naudit:\n  directory: "
                + folder.resolve("x/../d") + "\n");

        assertThat(result.exitCode).isEqualTo(Main.EXIT_USAGE);
        assertThat(result.lines)
                .anyMatch(line ->
                        line.startsWith("mistake: " + file() + ":2: journal.directory: the same as audit.directory"));
    }

    private record Result(int exitCode, List<String> lines) {}

    private String file() {
        return folder.resolve("penstock.yaml").toString();
    }

    private Result check(final String yaml) throws IOException {
        Files.writeString(Path.of(file()), yaml);
        final StringWriter out = new StringWriter();
        final int exitCode = new ServeCheck(new PrintWriter(out)).run(() -> new ConfigSource().file(Path.of(file())));
        return new Result(exitCode, out.toString().lines().toList());
    }
}
