package io.penstock.standalone.query;

import io.penstock.client.PenstockException;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Terminal;
import io.penstock.standalone.input.StandardInput;
import io.penstock.standalone.message.BrokerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Answers queries that are typed. */
@Command(
        name = "query",
        mixinStandardHelpOptions = true,
        description = {
            "Answers queries of state that are typed one after the other, with history, and completion of topics and fields"
                    + " by the tab key. When the connection is lost, the next one connects again.",
            "A query is SELECT items FROM topic WHERE condition GROUP BY fields HAVING condition ORDER BY fields LIMIT n OFFSET"
                    + " n; all but FROM may be left out, and a semicolon may stand at the end. The words .topics, .fields"
                    + " TOPIC, .format, .help and .quit do the rest. Without a terminal the queries are the lines of standard input."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock query                     # type, and press tab",
            "  penstock query -e 'SELECT origin, AVG(delay) FROM flights GROUP BY origin LIMIT 5'",
            "  penstock query --csv < queries.sql # one a line"
        })
public final class QueryCommand implements Callable<Integer> {
    private static final int LINE_LENGTH_MAX = 1024 * 1024;

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private RowOptions rows;

    @Option(
            names = {"-e", "--execute"},
            paramLabel = "QUERY",
            description = "Answer this and end; repeatable.")
    private List<String> queries = List.of();

    /** Made by the command line. */
    public QueryCommand() {}

    @Override
    public Integer call() throws IOException {
        rows.isGiven();
        final PrintWriter err = spec.commandLine().getErr();
        try (Link link = new Link(broker::connect, broker.endpoint(), err)) {
            final QuerySession session = new QuerySession(
                    link, broker.timeout(), rows, spec.commandLine().getOut(), err);
            if (!queries.isEmpty()) {
                queries.forEach(session::answer);
            } else if (Terminal.isIn() && Terminal.isOut()) {
                QueryPrompt.run(session, line -> answer(session, line, err));
            } else {
                answerInput(session);
            }
        }
        return Main.EXIT_OK;
    }

    private static void answerInput(final QuerySession session) throws IOException {
        final BufferedReader lines =
                new BufferedReader(new InputStreamReader(StandardInput.open(), StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null && session.answer(checked(line))) {
            line = lines.readLine();
        }
    }

    private static String checked(final String line) {
        if (line.length() > LINE_LENGTH_MAX) {
            throw CommandFailure.badInput(
                    "standard input: a line longer than " + LINE_LENGTH_MAX + " characters (give one query a line)");
        }
        return line;
    }

    /** Answers a line of a person, who sees what is wrong and goes on. */
    private static boolean answer(final QuerySession session, final String line, final PrintWriter err) {
        try {
            return session.answer(line);
        } catch (final CommandFailure | PenstockException e) {
            err.println(ControlCharacters.onErr(String.valueOf(e.getMessage())));
            err.flush();
            return true;
        }
    }
}
