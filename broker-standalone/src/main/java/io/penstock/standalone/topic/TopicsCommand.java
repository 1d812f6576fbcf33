package io.penstock.standalone.topic;

import io.penstock.client.PenstockClient;
import io.penstock.client.TopicInfo;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import io.penstock.standalone.message.BrokerOptions;
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
        footer = {"  penstock topics         # all of them", "  penstock topics orders. # those whose names start so"})
public final class TopicsCommand implements Callable<Integer> {
    private static final List<String> COLUMNS = List.of("topic", "format", "shard", "messages");

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private RowOptions rows;

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
        try (Rows out =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            topics.forEach(topic -> out.add(new Json()
                    .field("topic", topic.name())
                    .field("format", topic.format())
                    .field("shard", topic.shard())
                    .field("messages", topic.messages())
                    .end()));
        }
        return Main.EXIT_OK;
    }
}
