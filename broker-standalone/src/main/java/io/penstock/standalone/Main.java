package io.penstock.standalone;

import io.penstock.broker.config.ConfigException;
import io.penstock.client.PenstockException;
import io.penstock.protocol.ErrorCode;
import io.penstock.standalone.console.Colour;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.Nearest;
import io.penstock.standalone.console.OutputClosedException;
import io.penstock.standalone.console.StandardOutput;
import io.penstock.standalone.console.Terminal;
import io.penstock.standalone.guide.HelpCommand;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the runnable jar. */
@Command(
        name = "penstock",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "A message broker for the JVM, built for fast networks and fast memory.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:failed", "2:the command line or a file it names is wrong"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock demo                                    # see it work, in 15 seconds, with nothing to set up",
            "  penstock serve                                   # run a broker on tcp://127.0.0.1:9100",
            "  penstock subscribe flights --filter 'delay > 60' # print what matches, as it comes",
            "  penstock publish flights flights.ndjson          # publish a file, one message a line",
            "  penstock sow orders --order-by price --top 5     # query the last message of each key",
            "  penstock help publish                            # more about a command"
        })
public final class Main implements Callable<Integer> {
    /** The command did what it was asked to do. */
    public static final int EXIT_OK = CommandLine.ExitCode.OK;

    /** The command was understood and failed. */
    public static final int EXIT_FAILED = CommandLine.ExitCode.SOFTWARE;

    /** The command line, or a file it names, is wrong. */
    public static final int EXIT_USAGE = CommandLine.ExitCode.USAGE;

    /** A word that nobody reads to its end, and its beginning. */
    private static final Pattern LONG_WORD = Pattern.compile("(\\S{100})\\S{200,}?(?=: |\\s|$|[',)] )");

    /** Words that can be typed, as picocli names them. */
    private static final Pattern CHOICES = Pattern.compile("(\\[[A-Z_]+(?:, [A-Z_]+)*]) \\(case-insensitive\\)");

    @Spec
    private CommandSpec spec;

    Main() {}

    /**
     * Runs one command and ends the process with its exit code.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    /** Runs one command. */
    static int run(final String... args) {
        return run(commandLine(args).setOut(new StandardOutput().writer()), args);
    }

    /** Runs one command with the outputs that it was given; returns when all that it printed is written. */
    static int run(final CommandLine line, final String... args) {
        final int exitCode = line.execute(args);
        try {
            line.getOut().flush();
            return exitCode;
        } catch (final OutputClosedException | CommandFailure e) {
            // What has failed before has said so.
            return exitCode == EXIT_OK ? onOwnFailure(e, line) : exitCode;
        }
    }

    /**
     * The commands with their options.
     *
     * @param args that are going to be parsed; for those of other jars, too, it is enough to have none.
     * @return a parser that has parsed nothing yet.
     */
    public static CommandLine commandLine(final String... args) {
        final CommandLine line = new CommandLine(new Main());
        final List<String> names = Commands.named(args);
        for (final String name : names) {
            line.addSubcommand(name, Commands.find(name));
        }
        if (names.size() == Commands.NAMES.size() || args[0].equals("help")) {
            ProvidedCommands.addTo(line, ServiceLoader.load(CommandProvider.class, Main.class.getClassLoader()));
        }
        line.addSubcommand(new HelpCommand());
        Examples.keepWhole(line);
        return line.setExecutionStrategy(Main::execute)
                .setExecutionExceptionHandler(Main::onFailure)
                .setParameterExceptionHandler(Main::onBadCommandLine)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(100)
                .setUsageHelpAutoWidth(true);
    }

    /** Help and version are printed by no command, and fail as one does. */
    private static int execute(final ParseResult parsed) {
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (final OutputClosedException | CommandFailure e) {
            throw new CommandLine.ExecutionException(parsed.commandSpec().commandLine(), e.getMessage(), e);
        }
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return EXIT_USAGE;
    }

    private static int onFailure(final Exception failure, final CommandLine command, final ParseResult ignored)
            throws Exception {
        if (failure instanceof CommandFailure || failure instanceof OutputClosedException) {
            return onOwnFailure((RuntimeException) failure, command);
        }
        if (failure instanceof IllegalArgumentException) {
            // What the client does not take of a command line; its own mistakes are other exceptions.
            complain(command, Objects.requireNonNullElse(failure.getMessage(), failure.toString()));
            return EXIT_USAGE;
        }
        if (failure instanceof ConfigException || failure instanceof PenstockException) {
            complain(command, Objects.requireNonNull(failure.getMessage()));
            return failure instanceof PenstockException refusal && !isBadInput(refusal.errorCode())
                    ? EXIT_FAILED
                    : EXIT_USAGE;
        }
        throw failure;
    }

    private static int onOwnFailure(final RuntimeException failure, final CommandLine command) {
        if (failure instanceof CommandFailure known) {
            complain(command, Objects.requireNonNull(known.getMessage()));
            return known.exitCode();
        }
        return EXIT_OK;
    }

    private static int onBadCommandLine(final ParameterException mistake, final String[] args) {
        final CommandLine command = mistake.getCommandLine();
        final List<String> near = mistake instanceof UnmatchedArgumentException unmatched ? near(unmatched) : List.of();
        complain(
                command,
                // Picocli's own text has the word twice.
                CHOICES.matcher(String.valueOf(mistake.getMessage()).replace("option option", "option"))
                                .replaceFirst(choices -> choices.group(1).toLowerCase(Locale.ROOT))
                        + " ("
                        + (near.isEmpty() ? "" : "did you mean " + String.join(" or ", near) + "? ") + "see "
                        + qualifiedName(command) + " --help)");
        return EXIT_USAGE;
    }

    /** What may have been meant: options, or commands. */
    private static List<String> near(final UnmatchedArgumentException mistake) {
        final CommandLine command = mistake.getCommandLine();
        final String word = mistake.getUnmatched().get(0);
        return word.startsWith("-")
                ? Nearest.of(
                        word.indexOf('=') < 0 ? word : word.substring(0, word.indexOf('=')),
                        command.getCommandSpec().optionsMap().keySet())
                : Nearest.of(word, command.getSubcommands().keySet());
    }

    /** Whether the broker refused what stands on the command line. */
    private static boolean isBadInput(final @Nullable ErrorCode errorCode) {
        return errorCode == ErrorCode.BAD_FILTER
                || errorCode == ErrorCode.BAD_PATTERN
                || errorCode == ErrorCode.BAD_TOPIC
                || errorCode == ErrorCode.BAD_FORMAT
                || errorCode == ErrorCode.BAD_QUERY
                || errorCode == ErrorCode.BAD_KEY;
    }

    private static void complain(final CommandLine command, final String text) {
        final String message = LONG_WORD.matcher(text).replaceAll("$1…");
        final PrintWriter err = command.getErr();
        // A message may have words of the broker and of publishers in it.
        err.println(
                Colour.RED.on(qualifiedName(command) + ":", Terminal.isErr()) + " " + ControlCharacters.onErr(message));
        err.flush();
    }

    private static String qualifiedName(final CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }
}
