package io.penstock.standalone.cluster;

import io.penstock.cluster.ClusterConfig;
import io.penstock.cluster.ClusterStatus;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ConfigSource;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says how a node of this machine is. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Says how a node of a cluster on this machine is: whether it leads, follows, joins or does not run, the term it"
                    + " is in, and how many bytes of the log it knows a majority to have.",
            "It reads the memory that the node shares with its parts, so that the node does not notice."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock cluster status cluster.yaml            # the node that the file names",
            "  penstock cluster status cluster.yaml --member 1 # another one with the same file"
        })
final class ClusterStatusCommand implements Callable<Integer> {
    private static final List<String> COLUMNS = List.of("member", "address", "state", "term", "committed");

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Configuration of the node.")
    private Path file;

    @Option(names = "--member", paramLabel = "N", description = "Which of cluster.members, in place of the file's.")
    private @Nullable Integer member;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Any key of the configuration file; repeatable.")
    private Map<String, String> values = Map.of();

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final ConfigSource source = new ConfigSource().file(file);
        if (member != null) {
            source.value("cluster.member", String.valueOf(member), "--member");
        }
        values.forEach((key, value) -> source.value(key, value, "--set"));
        final ClusterConfig config = source.cluster();
        if (!config.isUsed()) {
            throw CommandFailure.badInput(
                    "cluster.members: none in " + file + " (name the file of a node of a cluster)");
        }
        final ClusterStatus status = ClusterStatus.read(config);
        try (Rows out =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            out.add(new Json()
                    .field("member", status.member())
                    .field("address", config.members().get(status.member()))
                    .field("state", text(status.state()))
                    .field("term", status.term())
                    .field("committed", status.committed())
                    .end());
        }
        return status.state() == ClusterStatus.State.NOT_RUNNING ? Main.EXIT_FAILED : Main.EXIT_OK;
    }

    /** For people, such as {@code not running}. */
    static String text(final ClusterStatus.State state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
