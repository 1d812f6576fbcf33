package io.penstock.cluster;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.StateConfig;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.shard.replica.ReplicatedLogs;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * A broker that is one node of a cluster: what its clients publish is kept by a majority of the nodes before it is
 * acknowledged, and all nodes apply the same in the same order. Safe on any thread.
 */
public final class ClusterBroker implements AutoCloseable {
    private final ClusterEngine engine;
    private final Broker broker;

    private ClusterBroker(final ClusterEngine engine, final Broker broker) {
        this.engine = engine;
        this.broker = broker;
    }

    /**
     * Starts a node. It serves clients at once, with what it has applied so far; what they publish waits until there is a
     * majority.
     *
     * @param config   of the broker; without a directory of a journal, which the node has itself.
     * @param cluster  of the node.
     * @param listener is told what is found in files.
     * @param onLeave  called at most once, with the reason, when the node cannot go on with the others: it takes nothing any
     *                 more then, and is to be closed. Any thread.
     * @return the node.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when the node's directory cannot be used, or a port is taken.
     */
    public static ClusterBroker launch(
            final BrokerConfig config,
            final ClusterConfig cluster,
            final RecoveryListener listener,
            final Consumer<String> onLeave) {
        cluster.check(config);
        final ClusterEngine engine = ClusterEngine.open(cluster, onLeave);
        Broker broker = null;
        boolean isStarted = false;
        try {
            final BrokerConfig own = ofNode(config, engine.journal());
            broker = Broker.launch(own, listener, new ReplicatedLogs(engine.consensus()));
            engine.consensus().events(broker.events());
            engine.start(Greeting.of(own));
            isStarted = true;
            return new ClusterBroker(engine, broker);
        } finally {
            if (!isStarted) {
                CloseHelper.quietCloseAll(broker, engine);
            }
        }
    }

    /**
     * Files of the node are made anew at each start, so that they need not be on stable storage. Its records have a bound that
     * does not depend on readers: half of the memory, unless it is given.
     */
    private static BrokerConfig ofNode(final BrokerConfig config, final Path directory) {
        final StateConfig state = config.state();
        final JournalConfig journal = config.journal()
                .withDirectory(directory.toString())
                .withSync(SyncPolicy.OS)
                .withSnapshots(0, 0);
        return config.toBuilder()
                .journal(journal)
                .state(state.liveLengthMax() > 0 ? state : state.withLiveLengthMax(state.memoryLengthMax() / 2))
                .build();
    }

    /**
     * The broker of the node, which ends with the node.
     *
     * @return for any use but to close it.
     */
    public Broker broker() {
        return broker;
    }

    /**
     * Whether this node makes the order, as far as it knows.
     *
     * @return true for one node, most of the time.
     */
    public boolean isLeader() {
        return engine.consensus().isLeading();
    }

    /**
     * Leaves the cluster in an orderly way, then stops the broker. What its clients have published and was not acknowledged
     * may be kept by the others or not. Idempotent.
     */
    @Override
    public void close() {
        CloseHelper.closeAll(engine, broker);
    }
}
