package io.penstock.standalone.serve;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.cluster.ClusterBroker;
import io.penstock.cluster.ClusterConfig;
import io.penstock.standalone.Main;

/**
 * A broker that this process serves, alone or as a node of a cluster.
 *
 * @param broker    that serves clients.
 * @param closeable ends it, with all that belongs to it.
 */
record Served(Broker broker, Runnable closeable) {
    /** Starts a broker that is alone. */
    static Served alone(final BrokerConfig config, final RecoveryListener listener) {
        final Broker broker = Broker.launch(config, listener);
        return new Served(broker, broker::close);
    }

    /** Starts a node of a cluster. When it cannot go on with the others, the process ends. */
    static Served node(final BrokerConfig config, final ClusterConfig cluster, final RecoveryListener listener) {
        final ClusterBroker node = ClusterBroker.launch(config, cluster, listener, reason -> {
            System.err.println("penstock serve: left the cluster: " + reason);
            // Without the hook that delivers what was accepted: nobody may be sent what others do not have.
            Runtime.getRuntime().halt(Main.EXIT_FAILED);
        });
        return new Served(node.broker(), node::close);
    }

    void close() {
        closeable.run();
    }
}
