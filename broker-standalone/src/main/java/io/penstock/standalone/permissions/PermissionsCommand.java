package io.penstock.standalone.permissions;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock permissions}: what users may do. */
@Command(
        name = "permissions",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Looks into a file of permissions, which permissions.file of a broker's configuration names.",
            "No broker is asked."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock permissions check roles.yaml",
            "  penstock permissions explain roles.yaml --user bob --roles trader --action subscribe --topic orders"
        },
        subcommands = {PermissionsCheckCommand.class, PermissionsExplainCommand.class})
public final class PermissionsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public PermissionsCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
