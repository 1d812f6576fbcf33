package io.penstock.bridge.rmi;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.protocol.ErrorCode;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The contract, called by the JDK's RMI. */
class RmiBridgeTest extends BridgeTck {
    private final List<MessageListener> exported = new ArrayList<>();

    @Override
    protected BridgeConfig config() {
        return BridgeConfig.onRmiPort(0);
    }

    @Override
    protected PenstockBroker broker(final Harness harness) throws Exception {
        return harness.lookup();
    }

    @Override
    protected MessageListener exported(final MessageListener listener) throws Exception {
        exported.add(listener);
        return (MessageListener) UnicastRemoteObject.exportObject(listener, 0);
    }

    @Test
    void shouldRefuseArgumentsThatAreMissing() {
        assertRefused(ErrorCode.BAD_TEXT, () -> broker.echo(null));
        assertRefused(ErrorCode.BAD_TEXT, () -> broker.acknowledge(1, null));
        assertRefused(ErrorCode.BAD_TEXT, () -> broker.forget(null));
    }

    @AfterAll
    void unexport() throws Exception {
        for (final MessageListener each : exported) {
            UnicastRemoteObject.unexportObject(each, true);
        }
    }
}
