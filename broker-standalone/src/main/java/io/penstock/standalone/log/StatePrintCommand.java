package io.penstock.standalone.log;

import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.shard.recovery.StateImage;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.RowOptions;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the records of the state that a log makes. */
@Command(
        name = "cat",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the records of the state that a log makes, one a line, in no order; before each the key that"
                    + " its publisher gave, if topics are declared so, with a tab.",
            "Records that would have expired are printed as well."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock state cat /var/lib/penstock --topic orders",
            "  penstock state cat /var/lib/penstock --json | jq -c 'select(.expires != null)'"
        })
final class StatePrintCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private StateSource source;

    @Option(names = "--topic", paramLabel = "NAME", description = "Only this topic; repeatable (default: all).")
    private Set<String> topics = Set.of();

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final Set<String> missing = new LinkedHashSet<>(topics);
        final Set<String> present = new HashSet<>();
        try (RecordLines lines = RecordLines.of(spec, rows, RecordLines.STATE_COLUMNS)) {
            for (final ShardLog log : source.shards()) {
                try (MadeState made = source.make(log)) {
                    for (final StateImage.TopicSummary each : made.image().topics()) {
                        final String name = each.topic().name();
                        present.add(name);
                        if (topics.isEmpty() || topics.contains(name)) {
                            made.image()
                                    .forEach(
                                            name,
                                            (key, message, headers, sequence, timestampNs, expiresNs) -> lines.write(
                                                    each.topic(),
                                                    key,
                                                    message,
                                                    headers,
                                                    sequence,
                                                    timestampNs,
                                                    expiresNs));
                        }
                        missing.remove(name);
                    }
                }
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        if (!missing.isEmpty()) {
            throw CommandFailure.badInput("--topic: no such topic with state in the log: " + String.join(", ", missing)
                    + " (there are: " + (present.isEmpty() ? "none" : String.join(", ", present)) + ")");
        }
        return Main.EXIT_OK;
    }
}
