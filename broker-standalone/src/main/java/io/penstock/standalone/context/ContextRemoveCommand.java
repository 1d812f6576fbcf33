package io.penstock.standalone.context;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes a context. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = "Removes a context; when it is the one in use, none is from then on.",
        footerHeading = "%nExamples:%n",
        footer = "  penstock context remove prod")
final class ContextRemoveCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Of the context.")
    private String name;

    @Override
    public Integer call() {
        ContextStore.ofUser().remove(name);
        return Main.EXIT_OK;
    }
}
