package io.penstock.bridge.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1", "0.0.0.0", "255.255.255.255", "010.1.1.1", "::1", "fe80::1", "::ffff:10.0.0.1"})
    void shouldTakeAnAddressForWhatItIs(final String host) {
        assertThat(AllowedHosts.isNumeric(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "127.1",
                "999.1.1.1",
                "1.1.1.256",
                "1.1.1.1.1",
                "1.1.1.",
                "fe80",
                "::1%lo",
                "a.b.c.d"
            })
    void shouldAskNobodyForANameThatLooksLikeAnAddress(final String host) {
        assertThat(AllowedHosts.isNumeric(host)).isFalse();
    }

    @Test
    void shouldAllowTheCallersOwnAddressAndThoseOfTheSameMachine() {
        final InetAddress caller = InetAddress.getLoopbackAddress();
        final AllowedHosts hosts = new AllowedHosts(List.of("gateway"));

        assertThat(hosts.isAllowed("127.0.0.1", caller)).isTrue();
        assertThat(hosts.isAllowed("127.0.0.9", caller)).isTrue();
        assertThat(hosts.isAllowed("localhost", caller)).isTrue();
        assertThat(hosts.isAllowed("gateway", caller)).isTrue();
        assertThat(hosts.isAllowed("192.0.2.1", caller)).isFalse();
        assertThat(hosts.isAllowed("elsewhere", caller)).isFalse();
    }

    @Test
    void shouldTellWhatLeavesThisMachineUnnamed() throws Exception {
        final InetAddress elsewhere = InetAddress.getByName("192.0.2.1");
        final AllowedHosts hosts = new AllowedHosts(List.of("gateway"));

        assertThat(hosts.isAllowed("192.0.2.1", elsewhere)).isTrue();
        assertThat(hosts.isUnnamedElsewhere("192.0.2.1", elsewhere)).isTrue();
        assertThat(hosts.isUnnamedElsewhere("gateway", elsewhere)).isFalse();
        assertThat(hosts.isUnnamedElsewhere("127.0.0.1", InetAddress.getLoopbackAddress()))
                .isFalse();
        assertThat(new AllowedHosts(List.of("*")).isUnnamedElsewhere("192.0.2.1", elsewhere))
                .isFalse();
    }
}
