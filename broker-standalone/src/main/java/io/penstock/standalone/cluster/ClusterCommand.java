package io.penstock.standalone.cluster;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock cluster}: nodes that are one broker together. */
@Command(
        name = "cluster",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Shows how nodes of a cluster on this machine are, or what a cluster does when a node is killed.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock cluster demo                        # three nodes; the one that leads is killed",
            "  penstock cluster status cluster.yaml         # how this machine's node is"
        },
        subcommands = {ClusterDemoCommand.class, ClusterStatusCommand.class})
public final class ClusterCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public ClusterCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
