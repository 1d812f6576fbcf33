package io.penstock.standalone.sink;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock sink}: what is in the files of sinks. */
@Command(
        name = "sink",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Looks into the files of sinks, in the sinks.directory of a broker, running or not.",
            "Nothing is written there, and no lock is taken."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock sink ls /data        # sinks, their lengths, blocks and producers",
            "  penstock sink ls /data events # the blocks of one, one a line",
            "  penstock sink verify /data    # read everything, check everything"
        },
        subcommands = {SinkListCommand.class, SinkVerifyCommand.class})
public final class SinkCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public SinkCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
