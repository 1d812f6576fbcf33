package io.penstock.standalone.context;

import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists contexts. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists the contexts, with a star at the one in use.",
        footerHeading = "%nExamples:%n",
        footer = {"  penstock context list", "  penstock context list --json"})
final class ContextListCommand implements Callable<Integer> {
    private static final List<String> COLUMNS = List.of("used", "context", "broker", "user");

    @Spec
    private CommandSpec spec;

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final ContextStore store = ContextStore.ofUser();
        final String current = store.current();
        try (Rows out =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            for (final String name : store.names()) {
                final BrokerContext context = store.read(name);
                out.add(new Json()
                        .field("used", name.equals(current) ? "*" : "")
                        .field("context", name)
                        .field("broker", context.broker())
                        .field("user", context.user())
                        .end());
            }
        }
        return Main.EXIT_OK;
    }
}
