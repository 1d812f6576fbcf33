package io.penstock.standalone.cluster;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what clients see of a cluster whose leader is killed, and checks it. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Starts three nodes of one broker as processes on this machine, publishes to them, and reads at each. Then it kills"
                    + " the node that leads, shows how clients go on, starts it again, and compares what the nodes have.",
            "It needs nothing, leaves nothing behind, and ends by itself."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock cluster demo             # about half a minute",
            "  penstock cluster demo --seconds 1 # for the impatient"
        })
final class ClusterDemoCommand implements Callable<Integer> {
    private static final int COUNT = 3;
    private static final int SECONDS_MAX = 60;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How long it publishes before and after each event, 1 to " + SECONDS_MAX + " (default: 3).")
    private int seconds;

    @Override
    public Integer call() throws IOException {
        if (seconds < 1 || seconds > SECONDS_MAX) {
            throw CommandFailure.badInput("--seconds: out of range: " + seconds + " (use 1 to " + SECONDS_MAX + ")");
        }
        final PrintWriter out = spec.commandLine().getOut();
        final Path folder = Files.createTempDirectory("penstock-cluster");
        final HeldPorts ports = HeldPorts.hold(COUNT);
        final List<String> members = ports.members();
        final List<DemoNode> nodes = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            nodes.add(new DemoNode(i, members, folder));
        }
        final Thread atEnd = new Thread(() -> remove(nodes, folder), "penstock-cluster-demo");
        Runtime.getRuntime().addShutdownHook(atEnd);
        out.printf("Penstock %s: %d nodes of one broker on this machine%n%n", Version.current(), COUNT);
        try (ClusterDemoRun run = new ClusterDemoRun(nodes, out)) {
            final long durationNs = TimeUnit.SECONDS.toNanos(seconds);
            run.start();
            run.publishFor(durationNs);
            final DemoNode killed = run.killLeader();
            run.publishFor(durationNs);
            run.restart(killed);
            run.publishFor(durationNs);
            run.check();
        } finally {
            remove(nodes, folder);
            ports.close();
            Runtime.getRuntime().removeShutdownHook(atEnd);
        }
        return Main.EXIT_OK;
    }

    private static void remove(final List<DemoNode> nodes, final Path folder) {
        CloseHelper.quietCloseAll(nodes);
        IoUtil.delete(folder.toFile(), true);
    }
}
