package io.penstock.standalone.query;

import io.penstock.standalone.console.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** Reads lines from a person at a terminal, with history and completion. */
final class QueryPrompt {
    private static final String PROMPT = "penstock> ";
    private static final int HISTORY_COUNT_MAX = 1000;

    private QueryPrompt() {}

    /**
     * Reads until the person ends it.
     *
     * @param session knows the words.
     * @param lines   takes each line; false ends it.
     */
    static void run(final QuerySession session, final Predicate<String> lines) throws IOException {
        try (Terminal terminal =
                TerminalBuilder.builder().system(true).provider("exec").build()) {
            final LineReader reader = reader(terminal, session);
            boolean goesOn = true;
            while (goesOn) {
                try {
                    goesOn = lines.test(reader.readLine(PROMPT));
                } catch (final UserInterruptException e) {
                    // Ctrl-C throws away what was typed.
                } catch (final EndOfFileException e) {
                    goesOn = false;
                }
            }
        }
    }

    private static LineReader reader(final Terminal terminal, final QuerySession session) {
        // Fields have slashes and quotes stay as they are: words end at spaces alone.
        final DefaultParser parser = new DefaultParser();
        parser.setEscapeChars(new char[0]);
        parser.setQuoteChars(new char[0]);
        final LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("penstock")
                .parser(parser)
                .completer(new QueryCompleter(session.vocabulary()::topics, session.vocabulary()::fields))
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                .variable(LineReader.HISTORY_SIZE, HISTORY_COUNT_MAX)
                .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_COUNT_MAX);
        final Path history = history();
        if (history != null) {
            builder.variable(LineReader.HISTORY_FILE, history);
        }
        return builder.build();
    }

    /** The file of the history, or null when there can be none. */
    private static @Nullable Path history() {
        try {
            return Files.createDirectories(UserFolders.state().resolve("penstock"))
                    .resolve("query-history");
        } catch (final IOException e) {
            return null;
        }
    }
}
