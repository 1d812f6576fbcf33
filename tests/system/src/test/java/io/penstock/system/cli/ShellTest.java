package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What depends on the environment and on the shell: contexts, completion, pages for man, and the start script. */
class ShellTest {
    private static final String LISTENING = "listening on ";
    private static final Path SCRIPT = Path.of("..", "..", "broker-standalone", "src", "dist", "penstock")
            .toAbsolutePath()
            .normalize();

    @TempDir
    Path home;

    @Test
    void shouldTalkToTheBrokerOfTheContextWhenNoneIsNamed() throws Exception {
        try (Penstock broker = Penstock.start("serve", "--listen", "tcp://127.0.0.1:0", "--topic", "here")) {
            final String endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
            assertThat(penstock(Map.of(), "context", "add", "prod", "--broker", endpoint, "--name", "desk")
                            .exitCode())
                    .isZero();
            assertThat(penstock(Map.of(), "topics", "--context", "prod").out()).contains("here");
            penstock(Map.of(), "context", "use", "prod");
            assertThat(penstock(Map.of(), "topics").out()).contains("here");
            assertThat(penstock(Map.of(), "context", "show").out()).contains("broker=" + endpoint, "name=desk");
            assertThat(penstock(Map.of(), "context", "list", "--template", "{{used}}{{context}}")
                            .out())
                    .isEqualTo("*prod");
            final Map<String, String> elsewhere = Map.of("PENSTOCK_BROKER", "tcp://127.0.0.1:1");
            assertThat(penstock(elsewhere, "topics").exitCode())
                    .as("the environment goes first")
                    .isEqualTo(1);
            assertThat(penstock(elsewhere, "topics", "--context", "prod").out()).contains("here");
            assertThat(penstock(Map.of(), "topics", "-b", "tcp://127.0.0.1:1").exitCode())
                    .isEqualTo(1);
            assertThat(penstock(Map.of("PENSTOCK_CONTEXT", "test"), "topics").err())
                    .isEqualTo("penstock topics: context test: there is none (there are: prod)");
            penstock(Map.of(), "context", "remove", "prod");
            assertThat(penstock(Map.of(), "context", "show").exitCode()).isEqualTo(1);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("config/penstock"))))
                .isEqualTo("rwx------");
        assertThat(penstock(Map.of(), "context", "add", "x").err()).contains("--broker");
        assertThat(penstock(Map.of(), "context", "use").err()).contains("give one, or --none");
    }

    @Test
    void shouldShowPercentAndColoursWhenOnATerminalAlone() throws Exception {
        assumeThat(hasProgram("script")).isTrue();
        final Path lines = home.resolve("lines");
        Files.writeString(lines, "{\"id\":1}\n".repeat(300));
        try (Penstock broker = Penstock.start("serve", "--listen", "tcp://127.0.0.1:0")) {
            final String endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
            final String publish = "publish t " + lines + " --rate 300/s -b " + endpoint;
            assertThat(onTerminal(Map.of(), publish))
                    .containsPattern("published [0-9]+, acknowledged [0-9]+ \\([0-9]+ %");
            assertThat(penstock(Map.of(), publish.split(" ", -1)).err())
                    .doesNotContain("%")
                    .doesNotContain("\033");
            assertThat(onTerminal(Map.of(), "topics -b " + endpoint)).contains("\033[1mTOPIC");
            assertThat(onTerminal(Map.of("NO_COLOR", "1"), "topics -b " + endpoint))
                    .contains("TOPIC")
                    .doesNotContain("\033");
            assertThat(onTerminal(Map.of(), "top -n 1 -b " + endpoint)).contains("\033[2J", "subscriptions", "TOPIC");
        }
    }

    @Test
    void shouldEscapeControlCharactersWhenOnATerminalAlone() throws Exception {
        assumeThat(hasProgram("script")).isTrue();
        final String wipe = "\\u001b[2J\\u009b2J";
        final Path log = home.resolve("log");
        final Path lines = Files.writeString(
                home.resolve("lines"),
                "{\"id\":1,\"x\":\"" + wipe + "\"}\n{\"id\":2,\"x\":\"" + wipe + "\",\"" + wipe + "\":1}\n");
        try (Penstock broker =
                Penstock.start("serve", "--listen", "tcp://127.0.0.1:0", "--set", "journal.directory=" + log)) {
            final String endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
            Penstock.run("publish", "t", lines.toString(), "--topic-key", "id", "-b", endpoint);
            Penstock.run("publish", "u", "--format", "binary", "-m", "a\033[2J\u009b2J", "-b", endpoint);
            for (final String command : List.of(
                    "sow t --csv --keys",
                    "sow t --keys",
                    "sow t --table --keys",
                    "sow t --json",
                    "sow t --template {{x}}",
                    "subscribe t --sow -n 2 --keys",
                    "subscribe t --sow -n 2 --csv",
                    "subscribe t --sow -n 2 --template {{x}}",
                    "subscribe u --from beginning --to now",
                    "subscribe u --from beginning --to now --json",
                    "topic info t\033[2J\u009b2J",
                    "context show \033[2J\u009b2J")) {
                assertThat(onTerminal(Map.of(), command + (command.startsWith("context") ? "" : " -b " + endpoint)))
                        .as(command)
                        .isNotEmpty()
                        .doesNotContain("\033[2J", "\u009b");
            }
            for (final String command : List.of("log cat ", "log cat --json ", "state cat ", "state cat --csv ")) {
                assertThat(onTerminal(Map.of(), command + log))
                        .as(command)
                        .isNotEmpty()
                        .doesNotContain("\033[2J", "\u009b");
            }
        }
    }

    @Test
    void shouldNameTheNearestWhenAWordIsMisspelt() throws Exception {
        assertThat(Penstock.run("publsh", "x").err())
                .contains("'publsh', 'x' (did you mean publish? see penstock --help)");
        assertThat(Penstock.run("publish", "x", "--fromat", "json").err())
                .contains("'--fromat' (did you mean --format? see penstock publish --help)");
        assertThat(Penstock.run("log", "lss").err()).contains("did you mean ls?");
        assertThat(Penstock.run("completion", "fihs").err()).contains("did you mean fish?");
        assertThat(Penstock.run("man", "pubish").err()).contains("did you mean publish?");
        assertThat(Penstock.run("topics", "--xyzzy").err()).contains("(see penstock topics --help)");
    }

    @Test
    void shouldCompleteCommandsAndOptionsWhenTheShellAsks() throws Exception {
        final Path script = home.resolve("completion");
        Files.writeString(script, Penstock.run("completion", "bash").out() + "\n");
        final String asked = "compopt() { :; }; source " + script + "; "
                + "COMP_WORDS=(penstock pub) COMP_CWORD=1; _complete_penstock; echo \"${COMPREPLY[@]}\"; "
                + "COMP_WORDS=(penstock log \"\") COMP_CWORD=2; _complete_penstock; echo \"${COMPREPLY[@]}\"; "
                + "COMP_WORDS=(penstock publish --ra) COMP_CWORD=2; _complete_penstock; echo \"${COMPREPLY[@]}\"";
        assertThat(shell("bash", "-c", asked).lines()).containsExactly("publish", "ls cat grep verify index", "--rate");
    }

    @Test
    void shouldCompleteInZshAndFishWhereTheyAre() throws Exception {
        final Path script = home.resolve("completion");
        assumeTrue(hasProgram("zsh") || hasProgram("fish"));
        if (hasProgram("zsh")) {
            Files.writeString(script, Penstock.run("completion", "zsh").out() + "\n");
            assertThat(shell(
                            "zsh",
                            "-fc",
                            "autoload -U compinit; compinit -D; source " + script
                                    + "; print $_comps[penstock]; COMP_WORDS=(penstock pub); COMP_CWORD=1; compopt() {"
                                    + " : }; _complete_penstock; print $COMPREPLY"))
                    .contains("_bash_complete", "publish");
        }
        if (hasProgram("fish")) {
            Files.writeString(script, Penstock.run("completion", "fish").out() + "\n");
            assertThat(shell(
                            "fish",
                            "-c",
                            "source " + script
                                    + "; complete -C 'penstock pub'; complete -C 'penstock log l'; complete -C"
                                    + " 'penstock publish --ra'"))
                    .contains(
                            "publish\tPublishes each line", "ls\tLists the files of a log", "--rate\tAt most so fast");
        }
    }

    @Test
    void shouldWriteAPageForEachCommandWhenAsked() throws Exception {
        final Path pages = home.resolve("man1");
        assertThat(Penstock.run("man", "--directory", pages.toString()).exitCode())
                .isZero();

        assertThat(pages).isDirectoryContaining("glob:**/penstock.1");
        assertThat(pages).isDirectoryContaining("glob:**/penstock-log-ls.1");
        assertThat(pages).isDirectoryNotContaining("glob:**/penstock-help.1");
        if (hasProgram("groff")) {
            try (var files = Files.list(pages)) {
                for (final Path page : files.toList()) {
                    assertThat(shell("groff", "-ww", "-man", "-z", page.toString()))
                            .as(page.toString())
                            .isEmpty();
                }
            }
        }
        assertThat(Penstock.run("man", "log", "ls").out())
                .isEqualTo(Files.readString(pages.resolve("penstock-log-ls.1")).stripTrailing());
        Files.writeString(home.resolve("file"), "");
        assertThat(Penstock.run("man", "--directory", home.resolve("file").toString())
                        .exitCode())
                .isEqualTo(1);
    }

    @Test
    void shouldArchiveClassesOnFirstUseAndUseThemWhenStartedByTheScript() throws Exception {
        final Map<String, String> environment =
                Map.of("PENSTOCK_JAR", Penstock.jar().toString());
        assertThat(script(environment, "--version").out()).startsWith("Penstock ");
        final Path archive = awaitArchive();
        final Penstock.Result used =
                script(Map.of("PENSTOCK_JAR", Penstock.jar().toString(), "JAVA_OPTS", "-Xshare:on"), "--version");
        assertThat(used.err()).isEmpty();
        assertThat(used.out()).startsWith("Penstock ").hasLineCount(1);

        assertThat(archive.toFile().setWritable(true)).isTrue();
        Files.writeString(archive, "not an archive");
        final Penstock.Result damaged = script(environment, "--version");
        assertThat(damaged.err()).as("whatever is wrong with the archive").isEmpty();
        assertThat(damaged.out()).startsWith("Penstock ").hasLineCount(1);
    }

    @Test
    void shouldRunWithoutAnArchiveWhenThereCanBeNone() throws Exception {
        Files.writeString(home.resolve("cache"), "a file, no folder");
        final Penstock.Result result =
                script(Map.of("PENSTOCK_JAR", Penstock.jar().toString()), "--version");

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(script(Map.of("PENSTOCK_JAR", "/no/such.jar"), "--version").err())
                .isEqualTo("penstock: no penstock.jar: /no/such.jar (put it beside this script, in ../lib, or set"
                        + " PENSTOCK_JAR)");
        assertThat(script(Map.of("PENSTOCK_JAR", Penstock.jar().toString(), "JAVA_HOME", "/no"), "--version")
                        .err())
                .startsWith("penstock: no Java: JAVA_HOME=/no (");
    }

    @Test
    void shouldFindTheJarWhenInstalledAndLinkedTo() throws Exception {
        Files.createDirectories(home.resolve("opt/bin"));
        Files.createDirectories(home.resolve("opt/lib"));
        Files.copy(SCRIPT, home.resolve("opt/bin/penstock"));
        Files.copy(Penstock.jar(), home.resolve("opt/lib/penstock.jar"));
        Files.createSymbolicLink(home.resolve("link"), Path.of("opt/bin/penstock"));
        final ProcessBuilder builder =
                Penstock.processOf(List.of("sh", home.resolve("link").toString(), "--version"));
        set(builder, Map.of("PENSTOCK_ARCHIVE", "off"));
        try (Penstock penstock = Penstock.start(builder)) {
            assertThat(penstock.await().out()).startsWith("Penstock ");
        }
        assertThat(home.resolve("cache")).doesNotExist();
    }

    private Path awaitArchive() throws Exception {
        final Path folder = home.resolve("cache/penstock");
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Penstock.TIMEOUT_S);
        while (System.nanoTime() - endNs < 0) {
            if (Files.isDirectory(folder)) {
                try (var files = Files.list(folder)) {
                    final var made = files.filter(file -> file.toString().endsWith(".jsa"))
                            .findFirst();
                    if (made.isPresent()) {
                        return made.get();
                    }
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new AssertionError("no archive of classes in " + folder);
    }

    private Penstock.Result script(final Map<String, String> environment, final String... arguments) throws Exception {
        final List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        return run(command, environment);
    }

    private Penstock.Result penstock(final Map<String, String> environment, final String... arguments)
            throws Exception {
        final List<String> command = new ArrayList<>(Penstock.java());
        command.addAll(List.of("-jar", Penstock.jar().toString()));
        command.addAll(List.of(arguments));
        return run(command, environment);
    }

    /** Runs a command on a terminal of its own, and returns what came there. */
    private String onTerminal(final Map<String, String> environment, final String arguments) throws Exception {
        final String command = String.join(" ", Penstock.java()) + " -jar " + Penstock.jar() + " " + arguments;
        final Map<String, String> all = new HashMap<>(environment);
        all.put("TERM", "xterm");
        return run(List.of("script", "-qec", command, "/dev/null"), all).out();
    }

    private Penstock.Result run(final List<String> command, final Map<String, String> environment) throws Exception {
        final ProcessBuilder builder = Penstock.processOf(command);
        set(builder, environment);
        try (Penstock penstock = Penstock.start(builder)) {
            return penstock.await();
        }
    }

    private void set(final ProcessBuilder builder, final Map<String, String> environment) {
        builder.environment()
                .keySet()
                .removeAll(List.of("PENSTOCK_BROKER", "PENSTOCK_CONTEXT", "JAVA_OPTS", "NO_COLOR"));
        builder.environment().put("XDG_CONFIG_HOME", home.resolve("config").toString());
        builder.environment().put("XDG_CACHE_HOME", home.resolve("cache").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
    }

    private static boolean hasProgram(final String name) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + name)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private String shell(final String... command) throws Exception {
        final ProcessBuilder builder = Penstock.processOf(List.of(command)).redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        try (Penstock started = Penstock.start(builder)) {
            return started.await().out();
        }
    }
}
