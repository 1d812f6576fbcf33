package io.penstock.standalone.message;

import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Counted;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes records of a topic with state. */
@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = {
            "Deletes records of a topic with state: those that match a filter, or those with some keys.",
            "Subscribers that follow them are notified that they are out of focus."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock delete orders --filter \"status = 'DONE'\" # what matches",
            "  penstock delete orders --filter TRUE              # everything",
            "  penstock delete orders --key '{\"id\":7}'           # one, by its key field",
            "  penstock delete config --key limits --key fees    # two, on a topic whose publishers give the key"
        })
public final class DeleteCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Parameters(paramLabel = "TOPIC", description = "Topic with state.")
    private String topic;

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "CONDITION",
            defaultValue = "",
            description = "SQL-92 condition over the fields of the record; TRUE for all records.")
    private String filter;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "The record with this key; repeatable. A message with the key fields, or the key where"
                    + " publishers give it.")
    private List<String> keys = List.of();

    @Override
    public Integer call() {
        TopicNames.check(topic);
        if (filter.isBlank() == keys.isEmpty()) {
            throw CommandFailure.badInput(
                    (filter.isBlank() ? "neither --filter nor --key is given" : "--key: given beside --filter")
                            + " (give one of them; --filter TRUE deletes all records)");
        }
        final long count;
        try (PenstockClient client = broker.connect()) {
            count = delete(client);
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.printf("deleted %s of %s%n", Counted.of(count, "record"), topic);
        out.flush();
        return Main.EXIT_OK;
    }

    private long delete(final PenstockClient client) {
        try {
            return keys.isEmpty() ? client.sowDelete(topic, filter) : client.sowDelete(topic, keys);
        } catch (final PenstockException e) {
            throw TopicNames.explained(e, client, topic);
        }
    }
}
