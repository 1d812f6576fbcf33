package io.penstock.standalone.client;

import io.penstock.standalone.Main;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Disconnects a client. */
@Command(
        name = "kick",
        mixinStandardHelpOptions = true,
        description = {
            "Ends the session of a client, which is told that an administrator did.",
            "It does not reconnect by itself. Needs an administrator."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  penstock client kick 3 # ends the session with that id", "  penstock client list   # lists the ids"
        })
final class ClientKickCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private AdminOptions admin;

    @Parameters(paramLabel = "ID", description = "Number of the client, as the list has it.")
    private long id;

    @Override
    public Integer call() {
        admin.delete("/api/v1/clients/" + id);
        final PrintWriter out = spec.commandLine().getOut();
        out.printf("client %d is disconnected%n", id);
        out.flush();
        return Main.EXIT_OK;
    }
}
