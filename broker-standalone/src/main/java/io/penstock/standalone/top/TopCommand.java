package io.penstock.standalone.top;

import io.penstock.client.PenstockClient;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Colour;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import io.penstock.standalone.console.Table;
import io.penstock.standalone.console.Terminal;
import io.penstock.standalone.message.BrokerOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a broker at work. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what a broker does, anew each second: messages in and out, clients, subscriptions and how many of them lag,"
                    + " and the busiest topics.",
            "Ctrl-C ends it. Without a terminal each look is printed below the one before."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock top                   # the broker, until Ctrl-C",
            "  penstock top orders. --every 5 # topics whose names start so, each five seconds",
            "  penstock top -n 1 --json       # one look, for programs: a topic a line"
        })
public final class TopCommand implements Callable<Integer> {
    private static final String TO_START = "\033[H";
    private static final String ERASE_ALL = "\033[2J";
    private static final String ERASE_LINE_END = "\033[K";
    private static final String ERASE_BELOW = "\033[J";
    private static final int EVERY_S_MAX = 3600;
    private static final int TOPICS_DEFAULT = 20;

    private static final List<String> COLUMNS = List.of("topic", "rate", "messages", "format", "shard");

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private RowOptions rows;

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            defaultValue = "",
            description = "Start of the names of topics (default: all).")
    private String prefix;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "How long from one look to the next (default: 1).")
    private int everyS;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many looks.")
    private long count;

    @Option(
            names = "--topics",
            paramLabel = "N",
            defaultValue = "" + TOPICS_DEFAULT,
            description = "Most topics to show (default: ${DEFAULT-VALUE}).")
    private int topicCount;

    /** Made by the command line. */
    public TopCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (everyS < 1 || everyS > EVERY_S_MAX) {
            throw CommandFailure.badInput("--every: out of range: " + everyS + " (use 1 to " + EVERY_S_MAX + ")");
        }
        if (count < 0 || topicCount < 1) {
            throw CommandFailure.badInput(
                    count < 0
                            ? "--count: too small: " + count + " (use 0 for no limit, or more)"
                            : "--topics: too small: " + topicCount + " (use 1 or more)");
        }
        final boolean isGiven = rows.isGiven();
        final boolean isRedrawn = Terminal.isOut() && !isGiven;
        final PrintWriter out = spec.commandLine().getOut();
        try (PenstockClient client = broker.connect()) {
            LoadSample before = LoadSample.take(client, prefix);
            out.print(isRedrawn ? ERASE_ALL : "");
            for (long i = 0; count == 0 || i < count; i++) {
                TimeUnit.SECONDS.sleep(everyS);
                final LoadSample now = LoadSample.take(client, prefix);
                final LoadView view = new LoadView(before, now);
                if (isGiven) {
                    print(view);
                } else {
                    draw(out, view, ControlCharacters.onOut(client.broker() + " at " + broker.server()), isRedrawn);
                }
                before = now;
            }
        }
        return Main.EXIT_OK;
    }

    private void print(final LoadView view) {
        try (Rows to = rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            view.rows(topicCount).forEach(row -> to.add(row.json()));
        }
    }

    private void draw(final PrintWriter out, final LoadView view, final String title, final boolean isRedrawn) {
        final List<String> head = view.head(title);
        final Table table = new Table();
        view.rows(topicCount).forEach(row -> table.add(row.json()));
        out.print(isRedrawn ? TO_START : "");
        line(out, Colour.BOLD.on(head.get(0), isRedrawn), isRedrawn);
        line(out, head.get(1), isRedrawn);
        line(out, "", isRedrawn);
        final int width = isRedrawn ? Terminal.columns() : Integer.MAX_VALUE;
        for (final String each : table.lines()) {
            line(out, each.length() > width ? each.substring(0, width) : each, isRedrawn);
        }
        out.print(isRedrawn ? ERASE_BELOW : "\n");
        out.flush();
    }

    private static void line(final PrintWriter out, final String text, final boolean isRedrawn) {
        out.print(text + (isRedrawn ? ERASE_LINE_END : "") + "\n");
    }
}
