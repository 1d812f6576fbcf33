package io.penstock.standalone.log;

import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.shard.recovery.StateImage;
import io.penstock.broker.topic.StateRule;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the topics with state that a log makes. */
@Command(
        name = "ls",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the topics with state that a log makes: shard, topic, key, records, bytes of keys and"
                    + " messages, and the sequence that the state is as of.",
            "Views are topics, too, with the records that the broker has computed."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  penstock state ls /var/lib/penstock", "  penstock state ls /var/lib/penstock --json | jq .records"
        })
final class StateListCommand implements Callable<Integer> {
    private static final List<String> COLUMNS =
            List.of("shard", "topic", "key", "records", "keyBytes", "messageBytes", "asOf");

    @Spec
    private CommandSpec spec;

    @Mixin
    private StateSource source;

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        try (Rows table = rows.open(out, spec.commandLine().getErr(), COLUMNS)) {
            for (final ShardLog log : source.shards()) {
                try (MadeState made = source.make(log)) {
                    for (final StateImage.TopicSummary each : made.image().topics()) {
                        final String row = row(log.shard(), each, made.sequence());
                        table.add(row);
                    }
                }
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        return Main.EXIT_OK;
    }

    private static String row(final int shard, final StateImage.TopicSummary each, final long sequence) {
        final StateRule rule = Objects.requireNonNull(each.topic().state());
        return new Json()
                .field("shard", shard)
                .field("topic", each.topic().name())
                .field("key", rule.isView() ? ("(view) " + rule.key()).strip() : rule.key())
                .field("records", each.recordCount())
                .field("keyBytes", each.keyLength())
                .field("messageBytes", each.messageLength())
                .field("asOf", sequence)
                .end();
    }
}
