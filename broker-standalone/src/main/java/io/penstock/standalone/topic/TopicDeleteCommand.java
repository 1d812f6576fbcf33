package io.penstock.standalone.topic;

import io.penstock.client.Administration;
import io.penstock.client.PenstockClient;
import io.penstock.standalone.Main;
import io.penstock.standalone.message.BrokerOptions;
import io.penstock.standalone.message.TopicNames;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Has a broker delete a topic. */
@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = {
            "Deletes a topic with its state.",
            "Its messages are delivered no more; what they take in the journal's files is free when these files"
                    + " are let go. Subscriptions to it stay, and get the messages of a topic that is created"
                    + " with the name later; those that follow its state end with an error. A topic that views"
                    + " are computed from is not deleted. One that is declared in the configuration is there"
                    + " again when the broker was restarted. Needs an administrator."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock topic delete orders # deletes the topic 'orders'",
            "  penstock topics              # lists those that there are"
        })
final class TopicDeleteCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Parameters(paramLabel = "TOPIC", description = "Its whole name.")
    private String topic;

    @Override
    public Integer call() {
        TopicNames.check(topic);
        try (PenstockClient client = broker.connect()) {
            Administration.of(client).deleteTopic(topic);
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.printf("topic %s is deleted%n", topic);
        out.flush();
        return Main.EXIT_OK;
    }
}
