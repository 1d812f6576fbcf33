package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A shell in which commands are typed, one after the other. What a command is to print may have {@code …}, which stands for
 * any text in a line, or for any number of lines when it is all of a line.
 */
final class Terminal implements AutoCloseable {
    private static final String GAP = "…";

    /** Begins the line that says that a command has ended. */
    private static final char END = '\036';

    private static final String LOOP =
            "while IFS= read -r -d '' command; do eval \"$command\" </dev/null; printf '\\n\\036%d\\n' $?; done";

    private final Process shell;
    private final OutputStream keyboard;
    private final LinkedBlockingQueue<String> screen = new LinkedBlockingQueue<>();

    private @Nullable String command;
    private List<String> expected = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();
    private @Nullable Integer exitCode;

    /** Starts a shell with the environment and the folder of the builder. */
    Terminal(final ProcessBuilder builder) throws IOException {
        shell = builder.command("bash", "--noprofile", "--norc", "-c", LOOP)
                .redirectErrorStream(true)
                .start();
        keyboard = shell.getOutputStream();
        final Thread reader = new Thread(this::read);
        reader.setDaemon(true);
        reader.start();
    }

    /** Types a command when the one before it has ended, and waits until it has printed these lines. */
    void type(final String newCommand, final List<String> output) throws Exception {
        finish();
        command = newCommand;
        expected = new ArrayList<>(output);
        seen.clear();
        exitCode = null;
        keyboard.write((newCommand + '\0').getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
        await(false);
    }

    /** Waits until the last command has printed these lines, too. */
    void expect(final List<String> more) throws InterruptedException {
        expected.addAll(more);
        await(false);
    }

    /** Waits until the last command has ended, and checks that it has printed nothing else and not failed. */
    void finish() throws InterruptedException {
        if (command != null) {
            await(true);
            assertThat(exitCode).as("%s: exit code; %s", command, seen).isZero();
            command = null;
        }
    }

    private void await(final boolean isEnd) throws InterruptedException {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Penstock.TIMEOUT_S);
        while (!matches(expected, seen) || (isEnd && exitCode == null)) {
            final String line = screen.poll(100, TimeUnit.MILLISECONDS);
            if (line != null) {
                add(line);
            } else if (System.nanoTime() > deadlineNs || (exitCode != null && !isBackground())) {
                throw new AssertionError(String.format(
                        "%s%nexpected:%n%s%nseen, exit code %s:%n%s", command, lines(expected), exitCode, lines(seen)));
            }
        }
    }

    private boolean isBackground() {
        return command != null && command.endsWith("&");
    }

    private void add(final String line) {
        if (line.indexOf(END) >= 0) {
            exitCode = Integer.valueOf(line.substring(line.indexOf(END) + 1));
            // The line end before it is of the loop.
            if (!seen.isEmpty() && seen.get(seen.size() - 1).isEmpty()) {
                seen.remove(seen.size() - 1);
            }
        } else {
            seen.add(line);
        }
    }

    /** True when these lines were to be expected. */
    static boolean matches(final List<String> expected, final List<String> seen) {
        final StringBuilder pattern = new StringBuilder();
        for (final String line : expected) {
            pattern.append(line.equals(GAP) ? "(?:[^\n]*\n)*" : inLine(line) + "\n");
        }
        return Pattern.matches(pattern.toString(), lines(seen));
    }

    /** With the line's end, so that a gap before it is not left out. */
    private static String inLine(final String line) {
        return Pattern.compile(GAP)
                .splitAsStream(line + "\n")
                .map(Terminal::quoted)
                .collect(Collectors.joining("[^\n]*"));
    }

    private static String quoted(final String text) {
        return Pattern.quote(text.replace("\n", ""));
    }

    private static String lines(final List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(screen::add);
        } catch (final IOException | UncheckedIOException ignored) {
            // The shell was killed.
        }
    }

    @Override
    public void close() {
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly();
    }
}
