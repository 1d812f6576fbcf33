package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody who follows the tutorial sees what it shows. Only the port of the broker is another one. */
@Tag("one-jdk")
class TutorialTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "tutorial.md");
    private static final String PORT = "9100";

    @TempDir
    private Path home;

    private String port = PORT;

    @BeforeEach
    void install() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = String.valueOf(socket.getLocalPort());
        }
        Files.createDirectory(work());
        Files.createDirectory(home.resolve("bin"));
        final String java = "exec '" + String.join("' '", Penstock.java()) + "'";
        final String jar = " -jar '" + Penstock.jar().toAbsolutePath() + "'";
        program("java", java + " \"$@\"");
        program(
                "penstock",
                "[ \"$1\" != serve ] || { shift; set -- serve --listen tcp://127.0.0.1:" + port + " \"$@\"; }\n" + java
                        + jar + " \"$@\"");
    }

    private void program(final String name, final String text) throws IOException {
        final Path file = home.resolve("bin").resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path work() {
        return home.resolve("work");
    }

    @Test
    void shouldShowWhatThePageShowsWhenItIsFollowed() throws Exception {
        final List<Tutorial.Block> blocks = Tutorial.of(PAGE).blocks();
        assertThat(blocks).filteredOn(Tutorial.Block::isTerminal).hasSizeGreaterThan(10);
        assertThat(blocks).filteredOn(Tutorial.Block::isFile).hasSizeGreaterThan(2);
        follow(blocks);
    }

    @Test
    void shouldFailWhenACommandPrintsSomethingElse() throws Exception {
        final List<Tutorial.Block> blocks = Tutorial.of(List.of("```console", "$ echo 1; echo 2", "1", "3", "```"))
                .blocks();

        assertThat(errorOf(blocks)).contains("echo 1; echo 2", "1\n3\n", "1\n2\n");
    }

    @Test
    void shouldFailWhenACommandPrintsMoreOrFails() throws Exception {
        final List<Tutorial.Block> more = Tutorial.of(List.of("```console", "$ echo 1; echo 2", "1", "```"))
                .blocks();
        final List<Tutorial.Block> failing =
                Tutorial.of(List.of("```console", "$ false", "```")).blocks();

        assertThat(errorOf(more)).contains("echo 1; echo 2");
        assertThat(errorOf(failing)).contains("false: exit code");
    }

    private String errorOf(final List<Tutorial.Block> blocks) throws Exception {
        try {
            follow(blocks);
            return "";
        } catch (final AssertionError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void follow(final List<Tutorial.Block> blocks) throws Exception {
        final Map<String, Terminal> terminals = new HashMap<>();
        try {
            for (final Tutorial.Block block : blocks) {
                if (block.isFile()) {
                    Files.writeString(work().resolve(block.name()), ported(String.join("\n", block.lines())) + "\n");
                } else if (block.isTerminal()) {
                    follow(block, terminals);
                }
            }
            for (final Terminal terminal : terminals.values()) {
                terminal.finish();
            }
        } finally {
            terminals.values().forEach(Terminal::close);
        }
    }

    private void follow(final Tutorial.Block block, final Map<String, Terminal> terminals) throws Exception {
        Terminal terminal = terminals.get(block.name());
        if (terminal == null) {
            terminal = new Terminal(shell());
            terminals.put(block.name(), terminal);
        }
        terminal.expect(ported(block.firstOutput()));
        for (final Tutorial.Step step : block.steps()) {
            terminal.type(ported(step.command()), ported(step.output()));
        }
    }

    private ProcessBuilder shell() {
        final ProcessBuilder builder = Penstock.processOf(List.of()).directory(work().toFile());
        final Map<String, String> environment = builder.environment();
        environment.put("PATH", home.resolve("bin") + ":" + environment.get("PATH"));
        environment.put("HOME", home.toString());
        environment.put("PENSTOCK_JAR", Penstock.jar().toAbsolutePath().toString());
        environment.put("PENSTOCK_BROKER", "tcp://127.0.0.1:" + port);
        return builder;
    }

    private List<String> ported(final List<String> lines) {
        return lines.stream().map(this::ported).toList();
    }

    private String ported(final String text) {
        return text.replace(PORT, port);
    }
}
