package io.penstock.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class ClusterCommandTest {
    @TempDir
    private Path folder;

    private static String run(final String... args) {
        final StringWriter text = new StringWriter();
        final PrintWriter to = new PrintWriter(text);
        return Main.commandLine(args).setOut(to).setErr(to).execute(args) + ": " + text;
    }

    private String file(final String text) throws IOException {
        final Path file = folder.resolve("cluster.yaml");
        Files.writeString(file, text);
        return file.toString();
    }

    /** It compares the nodes itself. */
    @Test
    void shouldLoseNothingWhenTheLeaderOfTheDemonstrationIsKilled() {
        assertThat(run("cluster", "demo", "--seconds", "1"))
                .startsWith("0: ")
                .containsPattern("killing node \\d, which leads")
                .containsPattern("node \\d has what it missed")
                .contains("messages were acknowledged. Each is on all 3 nodes, once");
    }

    @Test
    void shouldSayThatANodeDoesNotRunWhenItDoesNot() throws IOException {
        final String file =
                file("cluster:\n  members: [ \"127.0.0.1:9300\" ]\n  directory: " + folder.resolve("n") + "\n");

        assertThat(run("cluster", "status", file, "--csv"))
                .startsWith("1: ")
                .contains("member,address,state,term,committed")
                .contains("0,127.0.0.1:9300,not running,-1,-1");
        assertThat(run("cluster", "status", file, "--member", "1")).contains("cluster.member: out of range: 1");
    }

    @Test
    void shouldBeRefusedWhenAFileNamesNoNodes() throws IOException {
        final String file = file("shardCount: 1\n");

        assertThat(run("cluster", "status", file)).startsWith("2: ").contains("cluster.members: none in " + file);
        assertThat(run("serve", "--cluster", file)).startsWith("2: ").contains("--cluster: names no nodes: " + file);
        assertThat(run("serve", file, "--cluster", file)).startsWith("2: ").contains("--cluster: beside FILE: " + file);
    }
}
