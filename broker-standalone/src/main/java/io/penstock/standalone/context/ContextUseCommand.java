package io.penstock.standalone.context;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Chooses the context in use. */
@Command(
        name = "use",
        mixinStandardHelpOptions = true,
        description = "Uses a context from now on, for commands that name no broker.",
        footerHeading = "%nExamples:%n",
        footer = {"  penstock context use prod", "  penstock context use --none # the broker on this machine again"})
final class ContextUseCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", arity = "0..1", description = "Of the context.")
    private @Nullable String name;

    @Option(names = "--none", description = "Use no context.")
    private boolean isNone;

    @Override
    public Integer call() {
        if ((name == null) != isNone) {
            throw CommandFailure.badInput(
                    name == null
                            ? "context use: no name (give one, or --none)"
                            : "--none: given beside a name: " + name + " (give one of them)");
        }
        ContextStore.ofUser().use(name);
        return Main.EXIT_OK;
    }
}
