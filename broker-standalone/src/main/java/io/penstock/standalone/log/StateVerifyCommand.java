package io.penstock.standalone.log;

import io.penstock.broker.agent.StateImage;
import io.penstock.broker.journal.ShardLog;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks that the state can be made. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description =
                "Reads the whole log, makes the state from it, and names the first record that cannot be applied.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the state can be made", "1:it cannot, or the log is damaged", "2:there is no log"},
        footerHeading = "%nExamples:%n",
        footer = "  penstock state verify /var/lib/penstock")
final class StateVerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private StateSource source;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        boolean good = true;
        try {
            for (final ShardLog log : source.shards()) {
                try (StateImage image = source.image()) {
                    final long sequence = source.make(log, image);
                    final long records = image.topics().stream()
                            .mapToLong(StateImage.TopicSummary::recordCount)
                            .sum();
                    out.printf(
                            "shard %d: %d topics with state, %,d records, as of %d%s%n",
                            log.shard(),
                            image.topics().size(),
                            records,
                            sequence,
                            image.firstRefusal() == null
                                    ? ""
                                    : String.format(
                                            "; %,d records of the log cannot be applied, the first: %s",
                                            image.refusedCount(), image.firstRefusal()));
                    good &= image.refusedCount() == 0;
                }
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        } finally {
            out.flush();
        }
        return good ? Main.EXIT_OK : Main.EXIT_FAILED;
    }
}
