package io.penstock.standalone.message;

import io.penstock.client.PenstockClient;
import io.penstock.client.TopicInfo;
import io.penstock.standalone.Main;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists a broker's topics. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "Lists the broker's topics, with the messages published to each since the broker started.",
        footerHeading = "%nExamples:%n",
        footer = {"  penstock topics           all of them", "  penstock topics orders.   those whose names start so"})
public final class TopicsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            defaultValue = "",
            description = "Start of the names (default: all).")
    private String prefix;

    @Override
    public Integer call() {
        final List<TopicInfo> topics;
        try (PenstockClient client = broker.connect()) {
            topics = client.topics(prefix);
        }
        final PrintWriter out = spec.commandLine().getOut();
        final int width = Math.max(
                "TOPIC".length(),
                topics.stream().mapToInt(topic -> topic.name().length()).max().orElse(0));
        final String row = "%-" + width + "s  %-8s %5s %15s%n";
        out.printf(row, "TOPIC", "FORMAT", "SHARD", "MESSAGES");
        topics.forEach(topic ->
                out.printf(row, topic.name(), topic.format(), topic.shard(), String.format("%,d", topic.messages())));
        out.flush();
        return Main.EXIT_OK;
    }
}
