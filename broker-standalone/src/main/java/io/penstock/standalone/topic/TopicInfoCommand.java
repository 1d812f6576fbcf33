package io.penstock.standalone.topic;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.QueryStream;
import io.penstock.client.SowRequest;
import io.penstock.client.TopicInfo;
import io.penstock.protocol.ErrorCode;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import io.penstock.standalone.message.BrokerOptions;
import io.penstock.standalone.message.TopicNames;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows one topic. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        description = {
            "Shows a topic: its format, its shard, the messages published to it since the broker started, and the records"
                    + " that it keeps.",
            "A topic without a key keeps no records."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  penstock topic info orders", "  penstock topic info orders --template '{{records}}' # for scripts"
        })
final class TopicInfoCommand implements Callable<Integer> {
    private static final List<String> COLUMNS = List.of("topic", "format", "shard", "messages", "records");

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private RowOptions rows;

    @Parameters(paramLabel = "TOPIC", description = "Its whole name.")
    private String topic;

    @Override
    public Integer call() {
        TopicNames.check(topic);
        rows.isGiven();
        try (PenstockClient client = broker.connect()) {
            final TopicInfo info = find(client);
            final long records = records(client);
            final Json json = new Json()
                    .field("topic", info.name())
                    .field("format", info.format())
                    .field("shard", info.shard())
                    .field("messages", info.messages());
            final String row = records < 0
                    ? json.raw("records", "null").end()
                    : json.field("records", records).end();
            try (Rows out =
                    rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
                out.add(row);
            }
        }
        return Main.EXIT_OK;
    }

    private TopicInfo find(final PenstockClient client) {
        final List<TopicInfo> found = client.topics(topic);
        for (final TopicInfo each : found) {
            if (each.name().equals(topic)) {
                return each;
            }
        }
        throw TopicNames.missing(client, topic);
    }

    /** How many records it keeps; -1 when it keeps none. */
    private long records(final PenstockClient client) {
        try (QueryStream stream =
                client.sowStream(SowRequest.topic(topic).select("COUNT(*) AS n").timeout(broker.timeout()))) {
            for (final Message row : stream) {
                return Long.parseLong(row.text().replaceAll("[^0-9]", ""));
            }
            return 0;
        } catch (final PenstockException e) {
            if (e.errorCode() == ErrorCode.NO_STATE) {
                return -1;
            }
            throw e;
        }
    }
}
