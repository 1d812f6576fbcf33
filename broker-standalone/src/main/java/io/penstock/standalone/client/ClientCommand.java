package io.penstock.standalone.client;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock client}: the clients of a broker. */
@Command(
        name = "client",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Lists the clients of a broker, or disconnects one, by the broker's admin server.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock client list   # who is connected, and how far behind",
            "  penstock client kick 3 # ends the session with that id"
        },
        subcommands = {ClientListCommand.class, ClientKickCommand.class})
public final class ClientCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public ClientCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
