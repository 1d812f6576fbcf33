package io.penstock.standalone.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.standalone.Main;
import io.penstock.standalone.config.ConfigSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How a start ends that cannot be one, and what is printed in place of a start. */
@Timeout(60)
class ServeCommandTest {
    @TempDir
    private Path folder;

    /** A service is not started again for these. */
    @Test
    void shouldEndAsForAMistakeWhenTheConfigurationIsWhatIsWrong() throws IOException {
        final Path file = Files.createFile(folder.resolve("file"));
        for (final List<String> mistake : List.of(
                List.of("security: { users: " + folder + "/none }", ":2: security.users: users: " + folder + "/none"),
                List.of(
                        "journal: { directory: " + file + "/below }",
                        ":2: journal.directory: not a directory: " + file),
                List.of("audit: { directory: " + file + " }", ":2: audit.directory: not a directory: " + file))) {
            final Result result = serve("listen: tcp://127.0.0.1:0\n" + mistake.get(0) + "\n");

            assertThat(result.exitCode).as(result.text).isEqualTo(Main.EXIT_USAGE);
            assertThat(result.text).contains("serve: " + config() + mistake.get(1));
        }
        final Result port = serve("listen: tcp://127.0.0.1:99100\n");
        assertThat(port.exitCode).isEqualTo(Main.EXIT_USAGE);
        assertThat(port.text).contains("no port from 0 to 65535: tcp://127.0.0.1:99100 (give one,");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldSayWhyADirectoryCannotBeMade() throws IOException {
        final Result result = serve("listen: tcp://127.0.0.1:0\njournal: { directory: /proc/x }\n");

        assertThat(result.exitCode).isEqualTo(Main.EXIT_USAGE);
        assertThat(result.text).contains(":2: journal.directory: cannot be written: /proc (give this user the right");
    }

    @Test
    void shouldPrintAConfigurationThatCanBeReadWhenPermissionsAreInAFile() throws IOException {
        final Path roles = Files.writeString(
                folder.resolve("roles.yaml"), "roles:\n  - name: r\n    rules:\n      - allow: read\n");
        final Result printed = serve("permissions: { file: " + roles + " }\n", "--print-config");
        final Path again = Files.writeString(folder.resolve("again.yaml"), printed.text);

        assertThat(printed.exitCode).isZero();
        assertThat(new ConfigSource().file(again).config().permissions().roles())
                .hasSize(1);
        Files.writeString(roles, "roles:\n  - name: r\n    rules:\n      - allow: reed\n");
        assertThat(serve("permissions: { file: " + roles + " }\n", "--print-config").text)
                .contains(roles + ":4: permissions.roles: role r, rule 1: no such action: reed");
    }

    private String config() {
        return folder.resolve("penstock.yaml").toString();
    }

    private record Result(int exitCode, String text) {}

    private Result serve(final String yaml, final String... more) throws IOException {
        Files.writeString(Path.of(config()), yaml);
        final StringWriter text = new StringWriter();
        final String[] args = new String[more.length + 2];
        args[0] = "serve";
        args[1] = config();
        System.arraycopy(more, 0, args, 2, more.length);
        final int exitCode = Main.commandLine(args)
                .setOut(new PrintWriter(text, true))
                .setErr(new PrintWriter(text, true))
                .execute(args);
        return new Result(exitCode, text.toString());
    }
}
