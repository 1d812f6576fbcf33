package io.penstock.standalone.context;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ControlCharacters;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a context. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Prints the settings of a context, one a line: that which is named, or the one in use.",
        footerHeading = "%nExamples:%n",
        footer = {"  penstock context show", "  penstock context show prod"})
final class ContextShowCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", arity = "0..1", description = "Of the context (default: the one in use).")
    private @Nullable String name;

    @Override
    public Integer call() {
        final ContextStore store = ContextStore.ofUser();
        final String shown = name == null ? store.current() : name;
        if (shown == null) {
            throw CommandFailure.failed("context: none is in use (penstock context use NAME)");
        }
        final BrokerContext context = store.read(shown);
        final PrintWriter out = spec.commandLine().getOut();
        out.println("context=" + shown);
        context.lines().forEach(line -> out.println(ControlCharacters.onOut(line)));
        out.flush();
        return Main.EXIT_OK;
    }
}
