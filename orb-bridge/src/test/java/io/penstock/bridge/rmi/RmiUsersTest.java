package io.penstock.bridge.rmi;

import io.penstock.bridge.CallerUsersTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orb.PenstockBroker;

/** Users who call by the JDK's RMI. */
class RmiUsersTest extends CallerUsersTck {
    @Override
    protected BridgeConfig config() {
        return BridgeConfig.onRmiPort(0);
    }

    @Override
    protected PenstockBroker broker(final Harness harness) throws Exception {
        return harness.lookup();
    }
}
