package io.penstock.cluster;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.journal.RecoveryListener;
import java.io.IOException;
import java.util.List;

/** A node in a process of its own, until its standard input ends. */
final class NodeMain {
    private NodeMain() {}

    /** With the driver's memory beside the node's directory, so that nothing is left when the node is killed. */
    static ClusterConfig config(final int member, final List<String> members, final String directory) {
        return new ClusterConfig(
                member,
                members,
                directory,
                directory + "-driver",
                false,
                ClusterConfig.DETECTION_MS_DEFAULT,
                ClusterConfig.SYNC_LEVEL_DEFAULT,
                false);
    }

    /**
     * Starts a node.
     *
     * @param args member, directory, endpoint, and all members with commas between.
     * @throws IOException when the standard input cannot be read.
     */
    public static void main(final String[] args) throws IOException {
        final BrokerConfig config = BrokerConfig.builder()
                .listen(args[2])
                .shardCount(2)
                .events(EventHandler.NONE)
                .build();
        try (ClusterBroker node = ClusterBroker.launch(
                config,
                config(Integer.parseInt(args[0]), List.of(args[3].split(",", -1)), args[1]),
                RecoveryListener.NONE,
                reason -> Runtime.getRuntime().halt(3))) {
            System.out.println("listening on " + node.broker().endpoints().get(0));
            while (System.in.read() >= 0) {
                // Whoever has started it closes it.
            }
        }
    }
}
