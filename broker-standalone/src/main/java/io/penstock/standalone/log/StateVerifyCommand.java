package io.penstock.standalone.log;

import io.penstock.broker.journal.ShardLog;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks that the state can be made, and that snapshots are what the log makes. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the state from the whole log, or from the oldest good snapshot and the log after it when"
                    + " retention has removed the beginning; names the first record that cannot be applied, and"
                    + " where a snapshot of a later record is not what the log makes up to there, by topic and"
                    + " key.",
            "A damaged snapshot is named as well."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the state can be made, and snapshots are good and the same",
            "1:it cannot, a snapshot is damaged or differs, or the log is damaged",
            "2:there is no log"
        },
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
                good &= new StateCheck(source, log, out).run();
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        } finally {
            out.flush();
        }
        return good ? Main.EXIT_OK : Main.EXIT_FAILED;
    }
}
