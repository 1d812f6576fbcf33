package io.penstock.standalone.message;

import io.penstock.client.Administration;
import io.penstock.client.PenstockClient;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets a broker take sequences of a publisher again. */
@Command(
        name = "reset-publisher",
        mixinStandardHelpOptions = true,
        description = {
            "Has the broker take messages of a publisher again whose sequences count as applied.",
            "For a publisher whose sequences somebody else has used up, or that numbers anew. Needs an administrator."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock reset-publisher desk           # takes all sequences of the client 'desk'",
            "  penstock reset-publisher desk --to 4711 # takes those above 4711",
            "  penstock reset-publisher desk --of ann  # the client 'desk' of the user 'ann'"
        })
public final class ResetPublisherCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Parameters(paramLabel = "NAME", description = "Client name that the publisher logs on with.")
    private String name;

    @Option(
            names = "--of",
            paramLabel = "USER",
            defaultValue = "",
            description = "User that the publisher logs on as (default: one that proves nothing).")
    private String user;

    @Option(
            names = "--to",
            paramLabel = "SEQUENCE",
            defaultValue = "0",
            description = "Highest sequence that still counts as applied (default: ${DEFAULT-VALUE}, none).")
    private long sequence;

    @Override
    public Integer call() {
        if (sequence < 0) {
            throw CommandFailure.badInput("--to: below 0: " + sequence + " (give 0 for none)");
        }
        try (PenstockClient client = broker.connect()) {
            Administration.of(client).resetPublisher(name, user, sequence);
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.printf("the broker takes messages of %s above %,d%n", name, sequence);
        out.flush();
        return Main.EXIT_OK;
    }
}
