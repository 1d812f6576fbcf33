package io.penstock.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In programs that leave Netty out. */
class WithoutNettyTest {
    @BeforeEach
    void assumeThatThereIsNone() {
        assumeFalse(isThere(), "Netty is on the class path");
    }

    @Test
    void shouldServeRmiClients() {
        try (Broker broker = Broker.launch(BrokerConfig.embedded("without-netty"));
                Bridge bridge = Bridge.launch(BridgeConfig.onRmiPort(0), "inproc:without-netty")) {
            assertThat(broker.endpoints()).isNotEmpty();
            assertThat(bridge.rmiPort()).isPositive();
        }
    }

    @Test
    void shouldSayWhatIiopNeeds() {
        assertThatThrownBy(() -> Bridge.launch(BridgeConfig.onIiopPort(0), "inproc:without-netty"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "bridge.iiop: needs Netty, which is not on the class path (add io.netty:netty-transport, 4.1 or 4.2,"
                                + " or leave bridge.iiop out)");
    }

    private static boolean isThere() {
        try {
            Class.forName("io.netty.channel.Channel", false, WithoutNettyTest.class.getClassLoader());
            return true;
        } catch (final ClassNotFoundException e) {
            return false;
        }
    }
}
