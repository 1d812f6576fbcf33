package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which listeners are called, and by whom they are given. */
class ListenersTest {
    private final BridgeCounters counters = new BridgeCounters();
    private final Ior elsewhere = new Ior("", 2, "192.0.2.1", 4711, "key", true);

    private Listeners listeners(final String... callbackHosts) {
        final IiopConfig none = IiopConfig.none();
        final IiopConfig config = new IiopConfig(
                none.port(),
                none.address(),
                none.host(),
                none.connectionCountMax(),
                none.requestCountMax(),
                none.fragmentedCountMax(),
                none.fragmentLength(),
                none.receivedLengthMax(),
                none.threadCountMax(),
                none.ioThreadCount(),
                none.idleTimeoutMs(),
                List.of(callbackHosts),
                none.allowInsecureListen(),
                none.tls(),
                none.iorFile(),
                none.naming(),
                none.name());
        return new Listeners(config, counters);
    }

    @Test
    void shouldRefuseAListenerInClearWhenTheConnectionIsEncrypted() throws Exception {
        final InetAddress caller = InetAddress.getByName("192.0.2.1");

        assertThat(listeners().listener(elsewhere, caller, false, false)).isNotNull();
        assertThatThrownBy(() -> listeners().listener(elsewhere, caller, true, false))
                .isInstanceOf(SystemException.class)
                .hasMessageContaining("in clear");
        assertThat(counters.get(BridgeCounter.CALLBACKS_REFUSED)).isEqualTo(1);
        // The operator has named it.
        assertThat(listeners("192.0.2.1").listener(elsewhere, caller, true, false))
                .isNotNull();
        // It does not leave this machine.
        assertThat(listeners()
                        .listener(
                                new Ior("", 2, "127.0.0.1", 4711, "key", true),
                                InetAddress.getLoopbackAddress(),
                                true,
                                false))
                .isNotNull();
    }
}
