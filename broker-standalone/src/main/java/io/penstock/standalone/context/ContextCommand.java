package io.penstock.standalone.context;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock context}: brokers by names. */
@Command(
        name = "context",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Gives brokers names, so that commands need no endpoint, user and password file each time.",
            "A command takes the context that --context names; else, without --broker and $PENSTOCK_BROKER, that which"
                    + " $PENSTOCK_CONTEXT names, or the one in use. They are files in $XDG_CONFIG_HOME/penstock, else"
                    + " ~/.config/penstock, that only you can read."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock context add prod --broker tcp://10.0.0.7:9100 --user ann --password-file ~/.prod",
            "  penstock context use prod      # from now on",
            "  penstock topics --context test # once",
            "  penstock context list"
        },
        subcommands = {
            ContextAddCommand.class,
            ContextListCommand.class,
            ContextUseCommand.class,
            ContextShowCommand.class,
            ContextRemoveCommand.class
        })
public final class ContextCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public ContextCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
