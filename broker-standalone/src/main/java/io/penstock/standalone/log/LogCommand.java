package io.penstock.standalone.log;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock log}: what is in the files of a log. */
@Command(
        name = "log",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Looks into a log directory: the journal.directory of a broker, running or not.",
            "Nothing is written there, and no lock is taken, but for 'log index --rebuild'."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock log ls /var/lib/penstock                 # files, sequences, times",
            "  penstock log cat /var/lib/penstock --topic orders # messages, one a line",
            "  penstock log grep /var/lib/penstock 'price > 100' # those that match",
            "  penstock log verify /var/lib/penstock             # read everything, check everything",
            "  penstock log index /var/lib/penstock              # are the indexes right?"
        },
        subcommands = {
            LogListCommand.class,
            LogPrintCommand.class,
            LogSearchCommand.class,
            LogVerifyCommand.class,
            LogIndexCommand.class
        })
public final class LogCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public LogCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
