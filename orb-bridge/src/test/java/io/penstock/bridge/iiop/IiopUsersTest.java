package io.penstock.bridge.iiop;

import io.penstock.bridge.CallerUsersTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.Ior;
import io.penstock.orb.PenstockBroker;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.jspecify.annotations.Nullable;

/** Users who call by IIOP. */
class IiopUsersTest extends CallerUsersTck {
    private @Nullable GiopPeer peer;

    @Override
    protected BridgeConfig config() {
        return BridgeConfig.onIiopPort(0);
    }

    @Override
    protected PenstockBroker broker(final Harness harness) throws Exception {
        final Ior reference = Ior.parse(harness.bridge().ior());
        final GiopPeer opened = new GiopPeer(reference, 2, false, 64 * 1024);
        peer = opened;
        return new IiopBroker(opened, reference.key());
    }

    @AfterEach
    void hangUp() throws IOException {
        if (peer != null) {
            peer.close();
        }
    }
}
