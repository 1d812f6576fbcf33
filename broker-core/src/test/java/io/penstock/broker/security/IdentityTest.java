package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses that one host has as many of as it likes are one. */
class IdentityTest {
    @ParameterizedTest
    @CsvSource({
        "tcp://10.0.0.7:51234, tcp://10.0.0.7",
        "tcp://[2001:db8:1:2:3:4:5:6]:51234, tcp://[2001:db8:1:2::]/64",
        "tcp://[2001:db8:1:2:ffff:0:0:1]:9, tcp://[2001:db8:1:2::]/64",
        "tcp://[2001:db8:1:3:3:4:5:6]:51234, tcp://[2001:db8:1:3::]/64",
        "rsocket://[2001:db8::1%eth0]:1, rsocket://[2001:db8:0:0::]/64",
        "tcp://[fe80::1%eth0]:1, tcp://[fe80::1%eth0]",
        "tcp://[fe80::2%eth0]:1, tcp://[fe80::2%eth0]",
        "tcp://[::1]:5, tcp://[0:0:0:0::]/64",
        "inproc:test, inproc:test",
        "tcp://[nonsense]:5, tcp://[nonsense]",
        "tcp://[a:b]:5, tcp://[a:b]"
    })
    void shouldBeTheHost(final String peer, final String host) {
        assertThat(Identity.host(peer)).isEqualTo(host);
    }
}
