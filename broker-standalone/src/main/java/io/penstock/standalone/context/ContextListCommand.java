package io.penstock.standalone.context;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists contexts. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the contexts, with a star at the one in use.",
            "Files that are not of a context are named on standard error, and fail it."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  penstock context list", "  penstock context list --json"})
final class ContextListCommand implements Callable<Integer> {
    private static final List<String> COLUMNS = List.of("used", "context", "broker", "user");

    @Spec
    private CommandSpec spec;

    @Mixin
    private RowOptions rows;

    private final ContextStore store;

    /** Made by the command line. */
    ContextListCommand() {
        this(ContextStore.ofUser());
    }

    ContextListCommand(final ContextStore store) {
        this.store = store;
    }

    @Override
    public Integer call() {
        final List<String> failures = new ArrayList<>();
        final String current = read(store::current, failures);
        try (Rows out =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            for (final String name : store.names()) {
                final BrokerContext context = read(() -> store.read(name), failures);
                if (context == null) {
                    continue;
                }
                out.add(new Json()
                        .field("used", name.equals(current) ? "*" : "")
                        .field("context", name)
                        .field("broker", context.broker())
                        .field("user", context.user())
                        .end());
            }
        }
        final PrintWriter err = spec.commandLine().getErr();
        failures.forEach(each -> err.println(ControlCharacters.onErr("penstock context list: " + each)));
        err.flush();
        return failures.isEmpty() ? Main.EXIT_OK : Main.EXIT_FAILED;
    }

    /** Reads what may be wrong by itself; then it is null, and the others are listed still. */
    private static <T> @Nullable T read(final Supplier<? extends @Nullable T> file, final List<String> failures) {
        try {
            return file.get();
        } catch (final CommandFailure e) {
            failures.add(String.valueOf(e.getMessage()));
            return null;
        }
    }
}
