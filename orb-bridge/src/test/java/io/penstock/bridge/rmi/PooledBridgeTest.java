package io.penstock.bridge.rmi;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.pool.PoolConfig;
import io.penstock.orb.pool.PooledSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** The contract, called by the JDK's RMI over the connections of a pool. */
class PooledBridgeTest extends BridgeTck {
    private final List<MessageListener> exported = new ArrayList<>();
    private final PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults());

    @Override
    protected BridgeConfig config() {
        return BridgeConfig.onRmiPort(0);
    }

    @Override
    protected PenstockBroker broker(final Harness harness) throws Exception {
        return pool.lookup("127.0.0.1", harness.port());
    }

    @Override
    protected MessageListener exported(final MessageListener listener) throws Exception {
        exported.add(listener);
        return (MessageListener) UnicastRemoteObject.exportObject(listener, 0);
    }

    @AfterAll
    void unexport() throws Exception {
        for (final MessageListener each : exported) {
            UnicastRemoteObject.unexportObject(each, true);
        }
        pool.close();
    }
}
