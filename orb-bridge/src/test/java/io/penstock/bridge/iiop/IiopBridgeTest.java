package io.penstock.bridge.iiop;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.Ior;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** The contract, called by IIOP, in each version and byte order. */
class IiopBridgeTest {
    @Nested
    class Version12 extends Tck {
        Version12() {
            super(2, false, 64 * 1024);
        }
    }

    @Nested
    class Version12WithSmallFragments extends Tck {
        Version12WithSmallFragments() {
            super(2, true, 1024);
        }
    }

    @Nested
    class Version11 extends Tck {
        Version11() {
            super(1, true, 64 * 1024);
        }
    }

    @Nested
    class Version10 extends Tck {
        Version10() {
            super(0, false, 4096);
        }
    }

    abstract static class Tck extends BridgeTck {
        private final int minor;
        private final boolean isLittleEndian;
        private final int fragmentLength;
        private final List<AutoCloseable> open = new ArrayList<>();

        Tck(final int minor, final boolean isLittleEndian, final int fragmentLength) {
            this.minor = minor;
            this.isLittleEndian = isLittleEndian;
            this.fragmentLength = fragmentLength;
        }

        @Override
        protected BridgeConfig config() {
            return BridgeConfig.onIiopPort(0);
        }

        @Override
        protected PenstockBroker broker(final Harness harness) throws Exception {
            final Ior reference = Ior.parse(harness.bridge().ior());
            final GiopPeer peer = new GiopPeer(reference, minor, isLittleEndian, fragmentLength);
            open.add(peer);
            return new IiopBroker(peer, reference.key());
        }

        @Override
        protected MessageListener exported(final MessageListener listener) {
            final ListenerServer server = new ListenerServer(listener, minor);
            open.add(server);
            return server;
        }

        @AfterAll
        void close() throws Exception {
            for (final AutoCloseable each : open) {
                each.close();
            }
        }
    }
}
