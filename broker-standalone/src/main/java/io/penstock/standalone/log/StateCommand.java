package io.penstock.standalone.log;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock state}: the state that a log makes. */
@Command(
        name = "state",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the state that a broker would have from its log directory, without the broker, and looks at it.",
            "Nothing is written there, and no lock is taken. To query a running broker use 'penstock sow'."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock state ls /var/lib/penstock                 # topics with state, and their sizes",
            "  penstock state cat /var/lib/penstock --topic orders # their records",
            "  penstock state verify /var/lib/penstock             # can the state be made?"
        },
        subcommands = {StateListCommand.class, StatePrintCommand.class, StateVerifyCommand.class})
public final class StateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public StateCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
